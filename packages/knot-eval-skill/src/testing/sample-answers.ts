import type { FakeAnswer } from "./fake-knot.ts";

/** Answers of the fake agent to samples/questions.json: two good ones, and one of each common failure. */
export const SAMPLE_ANSWERS: Readonly<Record<string, FakeAnswer>> = {
  "年假最多可以结转多少天，结转到什么时候？": {
    thinking: "需要查休假制度。",
    text: "根据《员工休假管理办法》，未休完的年假**最多结转 5 天**，并且要在次年 3 月 31 日之前使用完。",
    chunks: [
      {
        chunk_title: "员工休假管理办法",
        chunk_content: "未休年假最多结转5天，须在次年3月31日前使用，逾期作废。",
        doc_id: "d-101",
        chunk_index: 3,
      },
    ],
    usage: { prompt_tokens: 820, completion_tokens: 64 },
  },
  "差旅报销需要在多长时间内提交？": {
    text: "出差结束后不超过 30 天，需要在报销系统里提交，并附上电子发票。",
    chunks: [
      {
        chunk_title: "差旅费用报销流程",
        chunk_content: "出差结束后30天以内在报销系统提交，附电子发票。",
        doc_id: "d-102",
        chunk_index: 1,
      },
    ],
    usage: { prompt_tokens: 760, completion_tokens: 41 },
  },
  "VPN 支持哪些双因素认证方式？": {
    text: "VPN 支持手机令牌登录。根据指南，系统不支持硬件密钥，也不支持短信验证码。",
    chunks: [
      {
        chunk_title: "远程接入指南",
        chunk_content: "VPN 支持手机令牌和硬件密钥两种双因素认证方式，不支持短信验证码。",
        doc_id: "d-103",
        chunk_index: 0,
      },
    ],
    usage: { prompt_tokens: 690, completion_tokens: 38 },
  },
  "采购金额超过多少需要三方比价？": {
    text: "抱歉，知识库中没有找到与采购比价相关的内容，请咨询采购部门。",
    chunks: [
      {
        chunk_title: "办公用品领用说明",
        chunk_content: "办公用品每月领用一次。",
        doc_id: "d-207",
        chunk_index: 0,
      },
    ],
    usage: { prompt_tokens: 540, completion_tokens: 22 },
  },
  "会议室可以提前多久预订，预订后多长时间无人签到会被释放？": {
    text: "会议室可以提前 14 天预订。",
    chunks: [
      {
        chunk_title: "会议室使用说明",
        chunk_content: "会议室可提前14天预订；开始15分钟仍无人签到，预订自动释放。",
        doc_id: "d-305",
        chunk_index: 2,
      },
    ],
    usage: { prompt_tokens: 610, completion_tokens: 18 },
  },
};
