import type { FakeAnswer } from "./fake-knot.ts";
import type { FakeDocument } from "./fake-mcp.ts";

/** A small made-up company handbook: source of the generated questions in tests, the e2e run and the sample report. */
export interface HandbookEntry {
  document: FakeDocument;
  questions: { question: string; keywords: string[]; reference_answer: string; category: string }[];
}

export const HANDBOOK: readonly HandbookEntry[] = [
  {
    document: {
      title: "员工休假管理办法",
      docId: "d-101",
      chunks: [
        "第一章 总则。为规范员工休假，制定本办法。员工累计工作满一年不满十年的，年休假为5天；满十年不满二十年的，年休假为10天。",
        "第二章 结转。未休年假最多结转5天，须在次年3月31日前使用，逾期作废。请假三天以上须由部门负责人审批。",
      ],
    },
    questions: [
      {
        question: "工作满十年不满二十年的员工年假有多少？",
        keywords: ["10天"],
        reference_answer: "年休假为10天。",
        category: "人事",
      },
      {
        question: "未休完的年假可以结转吗？",
        keywords: ["最多结转5天", "次年3月31日前"],
        reference_answer: "未休年假最多结转5天，须在次年3月31日前使用。",
        category: "人事",
      },
    ],
  },
  {
    document: {
      title: "差旅费用报销流程",
      docId: "d-102",
      chunks: [
        "出差结束后30天以内在报销系统提交申请，附电子发票。住宿标准：一线城市每晚不超过500元，其他城市不超过350元。",
        "报销款在审核通过后5个工作日内到账。超标部分由个人承担。",
      ],
    },
    questions: [
      {
        question: "出差回来多久内必须提交报销？",
        keywords: ["30天以内", "电子发票"],
        reference_answer: "30天以内在报销系统提交申请，附电子发票。",
        category: "财务",
      },
      {
        question: "一线城市住宿报销上限是多少？",
        keywords: ["不超过500元"],
        reference_answer: "一线城市每晚不超过500元。",
        category: "财务",
      },
    ],
  },
  {
    document: {
      title: "远程接入指南",
      docId: "d-103",
      chunks: [
        "VPN 支持手机令牌和硬件密钥两种双因素认证方式，不支持短信验证码。会话空闲30分钟后自动断开。",
        "首次使用须在自助平台绑定设备，每人最多绑定3台设备。",
      ],
    },
    questions: [
      {
        question: "VPN 支持哪些双因素认证方式？",
        keywords: ["手机令牌", "硬件密钥"],
        reference_answer: "支持手机令牌和硬件密钥。",
        category: "IT",
      },
      {
        question: "每个人可以绑定多少设备用于远程接入？",
        keywords: ["最多绑定3台"],
        reference_answer: "每人最多绑定3台设备。",
        category: "IT",
      },
    ],
  },
  {
    document: {
      title: "采购管理规定",
      docId: "d-104",
      chunks: [
        "单笔采购金额超过5万元的，须至少三家供应商比价；超过50万元的须公开招标。",
        "采购合同由法务部审核，合同原件保存10年。",
      ],
    },
    questions: [
      {
        question: "采购金额达到什么标准必须比价？",
        keywords: ["5万元", "三家供应商"],
        reference_answer: "超过5万元须至少三家供应商比价。",
        category: "采购",
      },
      {
        question: "采购合同原件要保存多久？",
        keywords: ["10年"],
        reference_answer: "合同原件保存10年。",
        category: "采购",
      },
    ],
  },
  {
    document: {
      title: "会议室使用说明",
      docId: "d-105",
      chunks: [
        "会议室可提前14天预订；会议开始15分钟仍无人签到，预订自动释放。",
        "大会议室需要行政部批准，小会议室不需要审批。",
      ],
    },
    questions: [
      {
        question: "会议室最早可以提前多久预订？",
        keywords: ["提前14天"],
        reference_answer: "可提前14天预订。",
        category: "行政",
      },
      {
        question: "小会议室预订要审批吗？",
        keywords: ["不需要审批"],
        reference_answer: "小会议室不需要审批。",
        category: "行政",
      },
    ],
  },
];

/** Documents that must give no questions: only links, only headings. */
export const USELESS_DOCUMENTS: readonly FakeDocument[] = [
  {
    title: "常用链接",
    docId: "d-201",
    chunks: [
      "[报销系统](https://intranet.invalid/a)\n[考勤系统](https://intranet.invalid/b)\nhttps://intranet.invalid/c",
    ],
  },
  {
    title: "制度目录",
    docId: "d-202",
    chunks: [
      "一 总则\n二 休假\n三 报销\n四 采购\n五 附则\n六 附件清单\n七 历史版本\n八 联系方式\n九 术语表\n十 索引页面\n十一 更新记录\n十二 参考资料\n十三 表单下载\n十四 意见反馈\n十五 相关制度\n十六 审批权限",
    ],
  },
];

function chunksOf(document: FakeDocument): NonNullable<FakeAnswer["chunks"]> {
  return document.chunks.map((chunk_content, chunk_index) => ({
    chunk_title: document.title,
    chunk_content,
    doc_id: document.docId,
    chunk_index,
  }));
}

/** How the fake agent answers the handbook questions: right ones, and one of each common failure. */
export function handbookAnswer(question: string): FakeAnswer {
  for (const [index, { document, questions }] of HANDBOOK.entries()) {
    const at = questions.findIndex((q) => q.question === question);
    const found = questions[at];
    if (!found) continue;
    const chunks = chunksOf(document);
    const usage = { prompt_tokens: 600 + index * 40 + at * 15, completion_tokens: 30 + index * 7 };
    if (question.includes("双因素"))
      return { text: "VPN 支持手机令牌登录。系统不支持硬件密钥，也不支持短信验证码。", chunks, usage };
    if (question.includes("比价"))
      return {
        text: "抱歉，知识库中没有找到与采购比价相关的内容，请咨询采购部门。",
        chunks: [
          {
            chunk_title: "办公用品领用说明",
            chunk_content: "办公用品每月领用一次。",
            doc_id: "d-301",
            chunk_index: 0,
          },
        ],
        usage,
      };
    if (question.includes("必须提交报销"))
      return { text: "出差结束后**不超过 30 天**，需要在报销系统里提交申请。", chunks, usage };
    if (question.includes("保存多久"))
      return {
        text: "根据《采购管理规定》，合同由法务部负责审核归档，原件需要由采购部门妥善长期留存，具体年限请以档案管理制度的要求为准。",
        chunks,
        usage,
      };
    return { text: `根据《${document.title}》：${found.reference_answer}`, chunks, usage };
  }
  return { text: "抱歉，知识库中没有找到相关内容。" };
}

/** How the fake question writer answers: the questions of the document it was given, in a shape models like. */
export function handbookWriter(prompt: string): string {
  const entry = HANDBOOK.find(({ document }) => prompt.includes(`文档名：${document.title}`));
  if (!entry) return "ok";
  return `<think>先读文档，找可核对的事实。</think>\n好的，以下是题目：\n\`\`\`json\n${JSON.stringify(entry.questions, null, 2)}\n\`\`\`\n希望有帮助！`;
}
