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
    en: "hi|hello|hey|thanks|thank you|good morning|good night|bye|cheers|ok|okay|lol|good evening|good afternoon|thx|ty|perfect|great|nice|sorry|how are you|goodbye|sup|yo",
    zh: "你好|您好|谢谢|多谢|早上好|晚安|在吗|收到|好的|再见|辛苦了|哈哈|早安|午安|下午好|晚上好|嗨|哈喽|感谢|不客气|没事|拜拜|嗯嗯|行吧|明白了|知道了",
  },
  {
    name: "go on",
    en: "go ahead|go on|continue|carry on|keep going|yes please|do it|proceed",
    zh: "继续|接着来|接着说|往下|可以开始|就这样做|按你说的",
  },
  {
    name: "fact question",
    en: "what|who|when|where|which|how many|how long|how much|how old|meaning|mean|definition|capital|convert|difference between|is it|can i|do i|does|why is|how far|how tall|how big|how often|whose|stand for|name of|how do you|how do i|is there|should i|are there|was|did|explain",
    zh: "是什么|什么是|什么意思|有什么|谁|多少|几|哪个|哪里|哪儿|怎么说|怎么读|区别|不同|多久|多大|吗|怎么看|为什么|为何|怎么办|怎样|如何|什么时候|几点|哪年|哪天|哪些|能不能|可以吗|是不是|有没有|意思|全称|叫什么|怎么|解释",
  },
  {
    name: "rewriting or translation",
    en: "translate|rewrite|rephrase|reword|paraphrase|shorten|proofread|spell|spelling|grammar|polite|synonym|another word|tone|simplify|in one sentence|past tense|reformulate|correct this|typo|formal|informal|friendlier|translation|in english|in french|in spanish|in german|in chinese|in japanese|say in|punctuation|wording|better word|capitalise|capitalize",
    zh: "翻译|改写|润色|缩短|校对|错别字|语法|客气|换个说法|同义词|口语|书面|语气|通顺|译成|译为|改成|改得|换成|纠正|标点|更正式|更自然|更短|更简洁|英文怎么|中文怎么|英语怎么|地道|修改一下|通俗",
  },
  {
    name: "summary",
    en: "summary|summarize|summarise|tldr|tl dr|gist|key points|bullet point|in short|recap|tl|boil down|main point|takeaway|condense|outline",
    zh: "总结|概括|摘要|要点|归纳一下|大意|简述|一句话|浓缩|提炼|主要内容|讲了什么|说了什么|大概意思",
  },
  {
    name: "reminder or look",
    en: "remind|reminder|alarm|timer|calendar|open|look at|tell me|show me|weather|schedule|wake me|check my|what time|play|turn on|turn off|add to|note down|read me|list my|shopping list|find my",
    zh: "提醒|闹钟|日历|天气|看一下|打开|告诉我|叫我|倒计时|日程|提醒我|看看|记一下|播放|关掉|开灯|几点了|读一下|查一下|闹铃|待办",
  },
  {
    name: "brevity",
    en: "quick|quickly|brief|briefly|short|simple|just|small|little|tiny|one liner|one sentence|two sentence|one line|one word|in a nutshell|eli5|concise",
    zh: "简单|简短|快速|一下|小的|短的|随便|一两句|一句|几句话|简要|简洁|长话短说|大概",
  },
  {
    name: "one piece of writing",
    en: "email|mail|letter|message|reply|post|tweet|speech|poem|caption|note|invitation|cover letter|ad|description|announcement|minute|draft|compose|complaint|apology|thank you note|story|haiku|toast|resume|cv|bio|slogan|headline|joke|lyric|song|script for|sms|text to|dm|memo|press release|newsletter intro|proposal|congratulation|condolence|review of|listing|flyer|pitch",
    zh: "邮件|信|回复|文案|朋友圈|通知|请假条|贺词|诗|祝福|发言|自我介绍|邀请|开场白|公告|起草|拟|帖子|辞职|求职|简历|道歉|感谢信|投诉|短信|微信|祝词|致辞|标题|广告|口号|笑话|故事|歌词|对联|证明信|申请书|倡议书|检讨|贺卡|评语|介绍信|描述|倡议|推文|小红书|文字",
  },
  {
    name: "one program",
    en: "script|function|regex|query|component|one liner|formula|snippet|cron|crontab|dockerfile|class|macro|config|makefile|unit test|workflow|program|method|endpoint|hook|selector|command|alias|one file|yaml|bash|code|algorithm|decorator|loop|test for|html page|landing page|extension|bot|excel macro|vba|game",
    zh: "脚本|函数|正则|组件|公式|定时任务|命令|代码|页面|配置|插件|小程序|写个|写一个|小工具|小游戏|网页|算法|程序|机器人|样式|测试用例|工具",
  },
  {
    name: "programming",
    en: "python|javascript|typescript|js|java|rust|go|golang|bash|shell|sql|html|css|react|vue|node|docker|git|npm|api|linux|json|yaml|database|sqlite|mysql|postgres|redis|kubernetes|nginx|django|flask|spring|android|ios|compile|bug|code|php|ruby|kotlin|swift|scala|perl|powershell|webpack|vite|nextjs|svelte|angular|express|fastapi|pandas|numpy|pytorch|tensorflow|terraform|ansible|aws|gcp|azure|lambda|kafka|rabbitmq|mongodb|elasticsearch|graphql|grpc|websocket|oauth|jwt|http|regex|exception|stack trace|variable|syntax|package|dependency|library|framework|app|website|web app|server|cli|sdk",
    zh: "接口|数据库|前端|后端|编译|报错|服务器|仓库|部署|爬虫|算法|程序|网站|应用|框架|依赖|变量|异常|线程|内存|缓存|队列|容器|镜像|客户端|源码|开源|语法|日志|版本",
  },
  {
    name: "data and figures",
    en: "csv|excel|spreadsheet|sheet|chart|plot|graph|average|mean|median|table|statistic|dataset|column|row|calculate|figures|data|percentage|percent|total|sum|number of|sales|revenue|expense|budget|trend line|pivot|histogram|correlation|outlier|bar chart|pie chart|record",
    zh: "表格|数据|图表|柱状图|折线图|平均|统计|求和|销售额|销量|报表|计算|算一下|平均数|中位数|占比|百分比|同比|环比|增长率|透视表|饼图|散点图|开销|支出|预算|账单|数字|利息|房贷",
  },
  {
    name: "plan",
    en: "plan|itinerary|meal plan|packing list|workout|recipe|checklist|agenda|schedule|idea|suggest|trip|routine|diet|menu|to do|todo|timetable|weekend|vacation|holiday|party|gift|brainstorm|name for|tips|day by day|study plan|budget for",
    zh: "计划|行程|食谱|旅游|攻略|清单|安排|训练|建议|点子|日程|旅行|出行|学习计划|健身|菜谱|礼物|聚会|路线|方案|策划|时间表|一周|三天",
  },
  {
    name: "scaffold",
    en: "scaffold|boilerplate|set up a|starter|skeleton|template|hello world|basic|bootstrap|project structure|starter project|get started|minimal|example project|demo",
    zh: "搭一个|脚手架|模板|初始化|骨架|最简单|项目结构|示例|样例|起步|最小|空项目",
  },
  {
    name: "many items",
    en: "all|every|each|batch|bulk|folder|inbox|hundred|thousand|dozen|entire|whole|across|everything|list of|drive|go through|multiple|several|them all|one by one|dozens|hundreds|thousands|whole folder|directory|directories|mailbox|files|documents|emails|tickets|photos|invoices|applicants|rows|records|customers|suppliers|individually|respectively|for each|complete|full",
    zh: "所有|全部|每个|每条|每份|每人|每项|批量|文件夹|收件箱|逐个|逐一|逐条|一个个|整个|一堆|多个|遍|依次|若干|这些|整批|成批|大量|几十|上百|几百|上千|多份|多张|多封|多家|目录|邮箱|每一|各个|各自|挨个|通通|统统|整套|全都|全套|一份份|分别",
  },
  {
    name: "structured extraction",
    en: "extract|parse|categorize|categorise|classify|label|tag|sort|dedupe|duplicate|deduplicate|merge|normalise|normalize|import|export|schema|group by|clean|consolidate|map|flag|scrape|convert|pull out|collect into|organise|organize|classification|categories|fields|json|reconcile|match|compare two|diff|validate|cleanse|archive|rename|triage|segment|index|catalogue|catalog|inventory|cross check|transform|spreadsheet|annotate|filter",
    zh: "提取|抽取|分类|归类|归档|去重|重复的|合并|结构化|清洗|整理|字段|打标签|汇总成|导入|导出|解析|映射|抓取|统一|筛选|对账|核对|比对|校验|标注|重命名|入库|编目|台账|拆解|录入|排序|转成|合成|匹配|归并|盘点|一致",
  },
  {
    name: "work across parts",
    en: "refactor|migrate|migration|implement|module|service|microservice|repo|repository|codebase|monorepo|debug|trace|root cause|deploy|pipeline|integrate|upgrade|end to end|ci|test suite|fix|callers|architecture|staging|production|terraform|monitor|alert|frontend|backend|memory leak|race condition|rewrite the whole|restructure|decouple|rollback|rollout|multi tenant|authentication|permission|cluster|helm|docker compose|ci cd|github actions|integration test|e2e|regression|performance|bottleneck|profiling|crash|deadlock|intermittent|reproduce|legacy|version|end of life|infrastructure|sync|offline|queue|webhook|dashboard|full stack|application|system|feature|set up|build",
    zh: "重构|迁移|实现|模块|微服务|服务|排查|定位|修复|修好|升级|前后端|测试都|集成|拆分|拆成|监控|告警|流水线|架构|线上|改造|接入|一起改|部署到|全套|完整的|系统|权限|回滚|灰度|集群|性能|瓶颈|死锁|崩溃|偶发|复现|老系统|旧系统|多租户|同步|离线|消息队列|网关|全栈|基础设施|自动化|联调|搭建|回归|兼容|开发一个|做一个完整",
  },
  {
    name: "steps in a row",
    en: "then|after that|first|second|finally|next|step by step|followed by|and then|plus|also|afterward|third|lastly|in the end|once done|when done|later|before|in addition|as well as|as well",
    zh: "然后|接着|最后|首先|其次|并且|再|同时|第一步|之后|分别|先|还要|还有|另外|此外|完成后|做完|接下来|第二|第三|一步步|以及",
  },
  {
    name: "research",
    en: "research|survey|literature|investigate|overview|landscape|market|competitor|competitive|trend|industry|benchmark|evidence|studies|dig into|look into|find out|gather|collect|compile|background|due diligence|synthesise|synthesize|meta analysis|state of the art|briefing|dossier|policy|compare the|comparison of|explore|examine how|history of|analysis of|find studies|latest|recent|development|sector|players|adoption|regulation|outlook|forecast|case study|case studies|stakeholder|comparative|what is known|debate|context|across countries|countries|growth|pros and cons|feasibility",
    zh: "调研|研究|综述|文献|竞品|市场|行业|趋势|现状|搜集|收集|查资料|查阅|梳理|尽职调查|国内外|全景|各国|政策|案例|了解一下|资料|史料|考证|背景材料|探究|考察|深入了解|前沿|进展|格局|玩家|监管|预测|展望|演变|历史|变迁|对比分析|可行性|利弊|发展|最新|近几年|近五年|市面上|主流|影响|竞争|对手|产业|赛道|商业模式|国家|海外",
  },
  {
    name: "sources",
    en: "source|citation|cite|reference|bibliography|paper|quote|official|link|press|interview|expert|journal|newspaper|archive|review|annotated|publication|forum|reputable|references|footnote|literature|peer reviewed|publications|data from|according to|website|online|news|reddit|blog|arxiv|pubmed|scholar|filing|earning call|testimony|evidence",
    zh: "来源|出处|引用|参考|论文|官方|链接|报道|访谈|专家|多方|权威|多家|研报|年报|财报|公众号|公开|原文|口碑|文献|引文|脚注|注明|网上|新闻|论坛|知乎|微博|小红书|学者|专利|协会|统计局|披露|数据来源|依据|资料来源|专著|期刊|史料|多个渠道",
  },
  {
    name: "long text",
    en: "report|article|essay|white paper|whitepaper|chapter|book|thesis|guide|page|long read|long form|comprehensive|in depth|detailed|thorough|newsletter|digest|study|profile|history|write up|analysis|paper on|monograph|documentation|manual|handbook|e book|ebook|memoir|feature|long|full length|word|pages|exhaustive|extensive|everything about|deep dive|brief for|presentation|script for a|series of",
    zh: "报告|长文|文章|白皮书|万字|千字|章|小册子|指南|深度|全面|详细|周报|简报|展望|复盘|洞察|科普|解说词|前言|毕业论文|书|详尽|完整报告|专题|综合|全文|手册|教程|论述|演讲稿|系列|长篇|连载|材料|深度文章|几千字|不少于|篇幅|研究报告|分析报告|稿子",
  },
  {
    name: "proof or mathematics",
    en: "prove|proof|disprove|theorem|lemma|induction|derive|derivation|converge|integer|prime|equation|differential|integral|polynomial|matrix|eigenvalue|limit|continuous|bound|tight|infinite|finite|group|closed form|expected number|variance|probability|distribution|series|sequence|optimal|minimise|minimize|maximise|maximize|abelian|graph theory|proven|qed|corollary|axiom|conjecture|irrational|rational number|divisible|modulo|determinant|vector space|linear map|bijection|injective|surjective|topology|metric space|compact|convex|gradient|derivative|calculus|fourier|laplace|taylor|recurrence|combinatorics|permutation|binomial|poisson|markov|stochastic|martingale|entropy|complexity|np hard|np complete|polynomial time|optimum|equality|inequality|triangle|circle|geometry|solve for|solutions|random walk|big o|asymptotic|expectation|bayes",
    zh: "证明|求证|推导|定理|引理|归纳法|收敛|质数|素数|方程|微分|积分|矩阵|极限|连续函数|上界|下界|无理数|数列|概率|期望|方差|分布|最优|最短|闭式|无解|数学|几何|通解|常数|定值|求解|解方程|不等式|三角形|圆|椭圆|双曲线|抛物线|向量|行列式|特征值|级数|导数|求导|偏导|傅里叶|泰勒|同余|整除|有理数|实数|复数|映射|双射|拓扑|紧致|凸|梯度|排列|组合|二项|泊松|马尔可夫|熵|复杂度|渐近|多项式|充要条件|必要条件|成立|推广到|期望值|贝叶斯|最大值|最小值|求和公式|递推",
  },
  {
    name: "logic",
    en: "logic|logical|puzzle|riddle|counterexample|rigorous|rigorously|reason|reasoning|argument|premise|paradox|contradict|contradiction|infer|deduce|invariant|justify|rational|equilibrium|game theory|knight|clue|formally|verify|why does this|show that|unique|strategy|assumption|sound|valid|fallacy|consistent|inconsistent|implies|if and only if|necessary|sufficient|trade off|liar|truth teller|weigh|weighing|cross the river|sudoku|chess|optimal strategy|minimax|nash|dilemma|philosophical|philosophy|critique|counterargument|work out who|refute|prove wrong|step by step reasoning|correctness|safety property|liveness|possible|impossible|guarantee",
    zh: "逻辑|推理|反例|严格|严密|论证|前提|悖论|矛盾|线索|不变式|博弈|均衡|最少|说明理由|自洽|为什么|反驳|漏洞|构造|核对|边界情况|站得住|可靠|谬误|成立吗|充分|必要|推断|推出|谁在说谎|真话|假话|称球|过河|囚徒|纳什|策略|辩证|哲学|反证|三段论|一步步推|不可能|保证|必然|严谨|相容|推理链|正确性|思辨",
  },
  {
    name: "experiment or inference",
    en: "experiment|hypothesis|randomise|randomize|randomised|trial|control group|controls|sample size|statistical|significance|p value|causal|causality|confounder|power calculation|ab test|a b test|stopping rule|bias|methodology|identification|regression|bayesian|placebo|cohort|experimental|randomization|randomisation|treatment effect|double blind|pre register|effect size|power analysis|confidence interval|anova|t test|chi square|instrumental variable|difference in difference|diff in diff|synthetic control|counterfactual|ablation|baseline|survey design|sampling|confounding|validity|replicate|statistical test",
    zh: "实验|假设|随机化|对照|样本量|显著|因果|混杂|功效|偏差|方法论|回归|贝叶斯|盲法|置信|统计上|检验|试验|区组|实验设计|对照组|双盲|效应量|置信区间|方差分析|卡方|工具变量|双重差分|反事实|消融|抽样|内生性|稳健性|可重复|识别策略|试点|随机",
  },
  {
    name: "deep reading of a document",
    en: "pdf|prospectus|annual report|contract|thesis|paper|clause|methodology|critically|critique|deep analysis|in depth|examine|evaluate|scrutinise|scrutinize|red flag|filing|balance sheet|manuscript|dissertation|agreement|legal document|statute|judgment|ruling|section by section|line by line|assumptions|weakness|loophole|flaw|whole document|financial statement|10 k",
    zh: "招股书|年报|合同|论文|条款|通读|批判|剖析|深入分析|深度剖析|逐条|评估|附件|审阅|财报|判决书|协议|财务报表|资产负债表|白皮书|手稿|逐段|逐句|逐章|整篇|全文|隐含假设|风险点|疑点|造假|勾稽|批判性|深度分析|深度解读|论文的",
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
      key += (n === 0 ? "" : join) + token.stem;
      for (const group of terms.get(key) ?? []) counts[group] = (counts[group] ?? 0) + 1;
    }
  }
  return counts;
}
