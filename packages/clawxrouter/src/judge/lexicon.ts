/**
 * Groups of words that tell what kind of work is asked for. English terms are matched by stem (up to three words),
 * Chinese ones as they stand (up to five characters).
 */
import { stem, type Token } from "./text.ts";

interface Group {
  /** As it is shown in a verdict's reason. */
  name: string;
  en: string;
  zh: string;
}

export const GROUPS = [
  {
    name: "greeting or thanks",
    en: "hi|hello|hey|thanks|thank you|good morning|good night|bye|cheers|ok|okay|lol",
    zh: "你好|您好|谢谢|多谢|早上好|晚安|在吗|收到|好的|再见|辛苦了|哈哈",
  },
  {
    name: "go on",
    en: "go ahead|go on|continue|carry on|keep going|yes please|do it|proceed",
    zh: "继续|接着来|接着说|往下|可以开始|就这样做|按你说的",
  },
  {
    name: "fact question",
    en: "what|who|when|where|which|how many|how long|how much|how old|meaning|mean|definition|capital|convert|difference between|is it|can i|do i|does",
    zh: "是什么|什么是|什么意思|有什么|谁|多少|几|哪个|哪里|哪儿|怎么说|怎么读|区别|不同|多久|多大|吗|怎么看|为什么",
  },
  {
    name: "rewriting or translation",
    en: "translate|rewrite|rephrase|reword|paraphrase|shorten|proofread|spell|spelling|grammar|polite|synonym|another word|tone|simplify|in one sentence|past tense",
    zh: "翻译|改写|润色|缩短|校对|错别字|语法|客气|换个说法|同义词|口语|书面|语气|通顺",
  },
  {
    name: "summary",
    en: "summary|summarize|summarise|tldr|tl dr|gist|key points|bullet point|in short|recap",
    zh: "总结|概括|摘要|要点|归纳一下|大意|简述|一句话",
  },
  {
    name: "reminder or look",
    en: "remind|reminder|alarm|timer|calendar|open|look at|tell me|show me|weather|schedule|wake me",
    zh: "提醒|闹钟|日历|天气|看一下|打开|告诉我|叫我|倒计时|日程",
  },
  {
    name: "brevity",
    en: "quick|quickly|brief|briefly|short|simple|just|small|little|tiny|one liner",
    zh: "简单|简短|快速|一下|小的|短的|随便",
  },
  {
    name: "one piece of writing",
    en: "email|mail|letter|message|reply|post|tweet|speech|poem|caption|note|invitation|cover letter|ad|description|announcement|minute|draft|compose",
    zh: "邮件|信|回复|文案|朋友圈|通知|请假条|贺词|诗|祝福|发言|自我介绍|邀请|开场白|公告|起草|拟|帖子",
  },
  {
    name: "one program",
    en: "script|function|regex|query|component|one liner|formula|snippet|cron|crontab|dockerfile|class|macro|config|makefile|unit test|workflow",
    zh: "脚本|函数|正则|组件|公式|定时任务|命令|代码|页面|配置|插件|小程序|写个|写一个",
  },
  {
    name: "programming",
    en: "python|javascript|typescript|js|java|rust|go|golang|bash|shell|sql|html|css|react|vue|node|docker|git|npm|api|linux|json|yaml|database|sqlite|mysql|postgres|redis|kubernetes|nginx|django|flask|spring|android|ios|compile|bug|code",
    zh: "接口|数据库|前端|后端|编译|报错|服务器|仓库|部署|爬虫|算法|程序",
  },
  {
    name: "data and figures",
    en: "csv|excel|spreadsheet|sheet|chart|plot|graph|average|mean|median|table|statistic|dataset|column|row|calculate",
    zh: "表格|数据|图表|柱状图|折线图|平均|统计|求和|销售额|销量|报表|计算|算一下",
  },
  {
    name: "plan",
    en: "plan|itinerary|meal plan|packing list|workout|recipe|checklist|agenda|schedule|idea|suggest|trip",
    zh: "计划|行程|食谱|旅游|攻略|清单|安排|训练|建议|点子",
  },
  {
    name: "scaffold",
    en: "scaffold|boilerplate|set up a|starter|skeleton|template|hello world|basic",
    zh: "搭一个|脚手架|模板|初始化|骨架|最简单",
  },
  {
    name: "many items",
    en: "all|every|each|batch|bulk|folder|inbox|hundred|thousand|dozen|entire|whole|across|everything|list of|drive|go through|multiple|several|them all|one by one",
    zh: "所有|全部|每个|每条|每份|每人|每项|批量|文件夹|收件箱|逐个|逐一|逐条|一个个|整个|一堆|多个|遍|依次|若干|这些",
  },
  {
    name: "structured extraction",
    en: "extract|parse|categorize|categorise|classify|label|tag|sort|dedupe|duplicate|deduplicate|merge|normalise|normalize|import|export|schema|group by|clean|consolidate|map|flag|scrape|convert",
    zh: "提取|抽取|分类|归类|归档|去重|重复的|合并|结构化|清洗|整理|字段|打标签|汇总成|导入|导出|解析|映射|抓取|统一",
  },
  {
    name: "work across parts",
    en: "refactor|migrate|migration|implement|module|service|microservice|repo|repository|codebase|monorepo|debug|trace|root cause|deploy|pipeline|integrate|upgrade|end to end|ci|test suite|fix|callers|architecture|staging|production|terraform|monitor|alert|frontend|backend|memory leak|race condition",
    zh: "重构|迁移|实现|模块|微服务|服务|排查|定位|修复|修好|升级|前后端|测试都|集成|拆分|拆成|监控|告警|流水线|架构|线上|改造|接入|一起改|部署到|全套|完整的",
  },
  {
    name: "steps in a row",
    en: "then|after that|first|second|finally|next|step by step|followed by|and then|plus|also|afterward",
    zh: "然后|接着|最后|首先|其次|并且|再|同时|第一步|之后|分别|先",
  },
  {
    name: "research",
    en: "research|survey|literature|investigate|overview|landscape|market|competitor|competitive|trend|industry|benchmark|evidence|studies|dig into|look into|find out|gather|collect|compile|background|due diligence|synthesise|synthesize|meta analysis|state of the art|briefing|dossier|policy",
    zh: "调研|研究|综述|文献|竞品|市场|行业|趋势|现状|搜集|收集|查资料|查阅|梳理|尽职调查|国内外|全景|各国|政策|案例|了解一下|资料|史料|考证|背景材料",
  },
  {
    name: "sources",
    en: "source|citation|cite|reference|bibliography|paper|quote|official|link|press|interview|expert|journal|newspaper|archive|review|annotated|publication|forum",
    zh: "来源|出处|引用|参考|论文|官方|链接|报道|访谈|专家|多方|权威|多家|研报|年报|财报|公众号|公开|原文|口碑",
  },
  {
    name: "long text",
    en: "report|article|essay|white paper|whitepaper|chapter|book|thesis|guide|page|long read|long form|comprehensive|in depth|detailed|thorough|newsletter|digest|study|profile|history|write up|analysis",
    zh: "报告|长文|文章|白皮书|万字|千字|章|小册子|指南|深度|全面|详细|周报|简报|展望|复盘|洞察|科普|解说词|前言|毕业论文|书",
  },
  {
    name: "proof or mathematics",
    en: "prove|proof|disprove|theorem|lemma|induction|derive|derivation|converge|integer|prime|equation|differential|integral|polynomial|matrix|eigenvalue|limit|continuous|bound|tight|infinite|finite|group|closed form|expected number|variance|probability|distribution|series|sequence|optimal|minimise|minimize|maximise|maximize|abelian|graph theory",
    zh: "证明|求证|推导|定理|引理|归纳法|收敛|质数|素数|方程|微分|积分|矩阵|极限|连续函数|上界|下界|无理数|数列|概率|期望|方差|分布|最优|最短|闭式|无解|数学|几何|通解|常数|定值",
  },
  {
    name: "logic",
    en: "logic|logical|puzzle|riddle|counterexample|rigorous|rigorously|reason|reasoning|argument|premise|paradox|contradict|contradiction|infer|deduce|invariant|justify|rational|equilibrium|game theory|knight|clue|formally|verify|why does this|show that|unique|strategy|assumption",
    zh: "逻辑|推理|反例|严格|严密|论证|前提|悖论|矛盾|线索|不变式|博弈|均衡|最少|说明理由|自洽|为什么|反驳|漏洞|构造|核对|边界情况|站得住|可靠",
  },
  {
    name: "experiment or inference",
    en: "experiment|hypothesis|randomise|randomize|randomised|trial|control group|controls|sample size|statistical|significance|p value|causal|causality|confounder|power calculation|ab test|a b test|stopping rule|bias|methodology|identification|regression|bayesian|placebo|cohort",
    zh: "实验|假设|随机化|对照|样本量|显著|因果|混杂|功效|偏差|方法论|回归|贝叶斯|盲法|置信|统计上|检验|试验|区组",
  },
  {
    name: "deep reading of a document",
    en: "pdf|prospectus|annual report|contract|thesis|paper|clause|methodology|critically|critique|deep analysis|in depth|examine|evaluate|scrutinise|scrutinize|red flag",
    zh: "招股书|年报|合同|论文|条款|通读|批判|剖析|深入分析|深度剖析|逐条|评估|附件|审阅|财报",
  },
] as const satisfies readonly Group[];

const MAX_WORDS = 3;
const MAX_HAN = 5;

const terms = new Map<string, number[]>();
GROUPS.forEach((group, index) => {
  const keys = [
    ...group.en.split("|").map((term) => `e:${term.split(" ").map(stem).join(" ")}`),
    ...group.zh.split("|").map((term) => `z:${term}`),
  ];
  for (const key of keys) terms.set(key, [...(terms.get(key) ?? []), index]);
});

/** How often each group of {@link GROUPS} is met, in its order. */
export function countGroups(tokens: readonly Token[]): Uint16Array {
  const counts = new Uint16Array(GROUPS.length);
  for (let i = 0; i < tokens.length; i++) {
    const first = tokens[i];
    if (first?.kind !== "word" && first?.kind !== "han") continue;
    const [mark, most, join] = first.kind === "word" ? ["e:", MAX_WORDS, " "] : ["z:", MAX_HAN, ""];
    let key: string = mark;
    for (let n = 0; n < most; n++) {
      const token = tokens[i + n];
      if (token?.kind !== first.kind) break;
      key += (n === 0 ? "" : join) + (first.kind === "word" ? stem(token.text) : token.text);
      for (const group of terms.get(key) ?? []) counts[group] = (counts[group] ?? 0) + 1;
    }
  }
  return counts;
}
