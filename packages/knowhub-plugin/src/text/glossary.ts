/**
 * Words of the trade that say the same, Chinese and English, one group a line. A query with one word of a group is also
 * searched with the others, so that a question in one language finds an item in the other.
 */
const GROUPS = `
部署 上线 发布 deploy deployment release
回滚 rollback revert
备份 backup
恢复 还原 restore recovery
缓存 cache
数据库 database db
索引 index
迁移 migration migrate
超时 timeout deadline
重试 retry backoff
限流 限速 throttle throttling 频率限制 ratelimit
幂等 idempotent idempotency
负载均衡 loadbalancer
容器 container docker
镜像 image
集群 cluster
监控 monitoring observability
告警 报警 alert alerting
日志 log logging
排查 调试 debug debugging troubleshoot
故障 事故 incident outage
复盘 postmortem retrospective
性能 performance
压测 loadtest benchmark
内存 memory ram
泄漏 泄露 leak
溢出 overflow oom
崩溃 crash
并发 concurrency concurrent
线程 thread
进程 process
死锁 deadlock
队列 queue
消息 message
事务 transaction
连接 connection
证书 certificate cert
加密 encrypt encryption
密码 password
密钥 secret key
令牌 token
权限 permission
认证 鉴权 登录 auth authentication login
脱敏 mask redact
安全 security
漏洞 vulnerability
依赖 dependency dependencies
安装 install installation
升级 更新 upgrade update
配置 设置 config configuration setting settings
环境变量 env
测试 test testing
单元测试 unittest
端到端 e2e
流水线 持续集成 pipeline ci
代码评审 代码审查 codereview review
分支 branch
合并 merge
提交 commit
仓库 repository repo
接口 api
前端 frontend
后端 backend
组件 component
样式 style css
页面 page
浏览器 browser
请求 request
响应 response
代理 proxy
域名 domain dns
网络 network
上传 upload
下载 download
导入 import
导出 export
文件 file
编码 encoding charset
乱码 garbled mojibake
时区 timezone
定时任务 cron schedule scheduler
脚本 script
搜索 检索 search retrieval
向量 embedding embeddings vector
切片 切块 分块 chunk chunks chunking
提示词 prompt
模型 model llm
智能体 agent agents
工作流 workflow
断点 checkpoint checkpointer
知识库 knowledge rag
召回 recall
翻译 translate translation
模板 template
文档 documentation docs
规范 约定 convention guideline
偏好 习惯 preference prefers
会议 meeting
周报 每周汇报 weekly
报销 发票 reimbursement invoice expense
竞品 竞争对手 competitor competitors
客户 customer client
投诉 抱怨 complaint
预算 费用 成本 账单 cost costs bill budget
灰度 放量 canary rollout
降级 degrade fallback
埋点 tracking analytics
大促 双十一 促销 promotion
订单 order
支付 payment
通知 推送 notification push
`;

const related = new Map<string, string[]>();
const phrases: { phrase: string; group: string[] }[] = [];
for (const line of GROUPS.trim().split("\n")) {
  const group = line.split(" ");
  for (const word of group) {
    if (/^[a-z0-9]+$/.test(word)) related.set(word, [...(related.get(word) ?? []), ...group]);
    else phrases.push({ phrase: word, group });
  }
}

const LATIN = /[a-z0-9]+/g;

/** Other words for what a query says, without those it holds already. */
export function synonyms(query: string): string[] {
  const folded = query.toLowerCase();
  const words: string[] = folded.match(LATIN) ?? [];
  // "rate limit" and "code review" stand in the list as one word.
  const joined = words.slice(1).map((word, i) => `${words[i]}${word}`);
  const found = new Set<string>();
  for (const word of [...words, ...joined]) for (const other of related.get(word) ?? []) found.add(other);
  for (const { phrase, group } of phrases)
    if (folded.includes(phrase)) for (const other of group) found.add(other);
  return [...found].filter((word) =>
    /^[a-z0-9]+$/.test(word) ? !words.includes(word) : !folded.includes(word),
  );
}
