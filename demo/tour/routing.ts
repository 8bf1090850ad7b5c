import {
  type Claim,
  conversationOf,
  INTRANET,
  modelOf,
  PHONE,
  PRIVATE_KEY,
  PRIVATE_KEY_BODY,
  type Step,
  type Tour,
  turnsSince,
} from "./context.ts";

const SESSION = "tour";

/** One turn, printed: what was said, what the cloud received (read from the recording server), what came back. */
async function turn(
  tour: Tour,
  text: string,
): Promise<{ ok: boolean; reply: string; error: string; cloudFrom: number; localFrom: number }> {
  const { screen, say } = tour;
  const cloudFrom = tour.cloud.requests.length;
  const localFrom = tour.local.requests.length;
  screen.says(say("你", "you"), text, "bold");
  const result = await tour.gateway.turn(SESSION, text, { via: "chat.send" });
  const received = turnsSince(tour.cloud, cloudFrom).at(-1);
  const seen = conversationOf(received);
  const nothing = say("（什么也没收到）", "(nothing)");
  screen.says(
    `${say("云端收到", "cloud received")}${received ? ` [${modelOf(received)}]` : ""}`,
    received ? seen.join("\n") : nothing,
    received ? "magenta" : "dim",
    8,
  );
  screen.says(say("回答", "reply"), result.text || result.error, "green");
  return { ok: result.ok, reply: result.text, error: result.error, cloudFrom, localFrom };
}

const safe: Step = {
  title: (tour) => tour.say("安全的问题 → 便宜的模型", "A safe question → the cheap model"),
  async run(tour) {
    const { ok, error, cloudFrom } = await turn(
      tour,
      tour.say("HTTP 401 和 403 有什么区别？", "What is the difference between HTTP 401 and 403?"),
    );
    const model = modelOf(turnsSince(tour.cloud, cloudFrom)[0]);
    const cheap = tour.options.cloud?.cheapModel ?? "cheap";
    return [
      { ok, text: ok ? tour.say("有回答", "answered") : error },
      {
        ok: model === cheap,
        text: tour.say(
          `用的是 ${model}（便宜档是 ${cheap}）`,
          `it went to ${model} (the cheap tier is ${cheap})`,
        ),
      },
    ];
  },
};

const sensitive: Step = {
  title: (tour) =>
    tour.say(
      "手机号和内网地址 → 云端只见占位符，你看到原值",
      "A phone and an intranet address → the cloud sees placeholders, you see the values",
    ),
  async run(tour) {
    const { ok, error, reply, cloudFrom } = await turn(
      tour,
      tour.say(
        `写一条短信发给 ${PHONE}：服务器 ${INTRANET} 已恢复。原样重复号码和地址。`,
        `Draft a text to ${PHONE}: server ${INTRANET} is back. Repeat number and address as they are.`,
      ),
    );
    const bodies = tour.cloud.requests
      .slice(cloudFrom)
      .map((r) => r.body)
      .join("\n");
    const claims: Claim[] = [
      { ok, text: ok ? tour.say("有回答", "answered") : error },
      {
        ok: bodies !== "" && !bodies.includes(PHONE) && !bodies.includes(INTRANET),
        text: tour.say(
          "发往云端的全部字节里都没有这两个值",
          "neither value is in any byte sent to the cloud",
        ),
      },
      {
        ok: /\[REDACTED:[A-Z_]+_\d+/.test(bodies),
        text: tour.say("云端看到的是占位符", "the cloud saw placeholders"),
      },
    ];
    if (tour.scripted)
      claims.push({
        ok: reply.includes(PHONE) && reply.includes(INTRANET),
        text: tour.say("回答里是还原后的原值", "the reply holds the values, restored"),
      });
    return claims;
  },
};

const secret: Step = {
  title: (tour) =>
    tour.say("私钥 → 本地模型，云端什么也看不到", "A private key → the local model; the cloud sees nothing"),
  async run(tour) {
    const { ok, error, cloudFrom, localFrom } = await turn(
      tour,
      `${tour.say("这个密钥有什么问题？", "What is wrong with this key?")}\n${PRIVATE_KEY}`,
    );
    const cloudBodies = tour.cloud.requests
      .slice(cloudFrom)
      .map((r) => r.body)
      .join("\n");
    const localBodies = turnsSince(tour.local, localFrom)
      .map((r) => r.body)
      .join("\n");
    return [
      { ok, text: ok ? tour.say("有回答", "answered") : error },
      {
        ok: localBodies.includes(PRIVATE_KEY_BODY),
        text: tour.say("本地模型收到了原文", "the local model got the text itself"),
      },
      {
        ok: !cloudBodies.includes(PRIVATE_KEY_BODY),
        text: tour.say("云端没有收到密钥", "the cloud did not get the key"),
      },
    ];
  },
};

const afterwards: Step = {
  title: (tour) =>
    tour.say(
      "下一个安全的问题 → 云端的历史里只有代号",
      "The next safe question → the cloud's history holds tokens only",
    ),
  async run(tour) {
    const { ok, error, cloudFrom } = await turn(
      tour,
      tour.say("谢谢。符号链接是什么？", "Thanks. And what is a symlink?"),
    );
    const requests = turnsSince(tour.cloud, cloudFrom);
    const history = requests.map((r) => r.body).join("\n");
    const everything = tour.cloud.everything();
    return [
      { ok: ok && requests.length > 0, text: ok ? tour.say("云端有回答", "the cloud answered") : error },
      {
        ok: /\[(PRIVATE|REDACTED):[A-Z_]+_\d+/.test(history),
        text: tour.say("历史里是代号", "its history holds tokens"),
      },
      {
        ok: ![PRIVATE_KEY_BODY, PHONE, INTRANET].some((value) => everything.includes(value)),
        text: tour.say(
          `至今发往云端的 ${tour.cloud.requests.length} 个请求里没有一个私密的字节`,
          `no private byte in any of the ${tour.cloud.requests.length} requests the cloud got so far`,
        ),
      },
    ];
  },
};

export const routingSteps: Step[] = [safe, sensitive, secret, afterwards];
