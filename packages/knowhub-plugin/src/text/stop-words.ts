import { stem } from "./stem.ts";

/** Words that say that something is asked, not what; left out of queries only. */
const ENGLISH =
  "a an the of to in on at for from by with and or is are was were be been am do does did how what which who whom whose when where why can could should would will shall may might must i me my we our you your he she it its they them their this that these those there here if then than as so not no yes about into over under out up down any some all more most please tell give show need want use get";

/** Chinese function and question words; every character pair inside or across two of them is a stop pair. */
const CHINESE =
  "什么 怎么 怎样 如何 为何 为什么 哪个 哪些 哪里 哪儿 哪位 哪一 哪年 谁是 是谁 是什么 是哪 多少 几个 几年 何时 何地 的是 是的 了吗 的吗 是否 可以 能够 应该 需要 请问 一下 一个 这个 那个 这些 那些 我们 你们 他们 它们 以及 或者 并且 但是 因为 所以 如果 的话 时候 有什么 有哪些 有多少 被称 称为 叫做 怎么办 吗 呢 吧 的 了 是 在 和 与 或 及 有 我 你 他 她 它 这 那";

const english = new Set(ENGLISH.split(" ").map(stem));
const chinese = new Set(
  CHINESE.split(" ").flatMap((word) => {
    const chars = Array.from(word);
    return chars.length === 1 ? [word] : chars.slice(1).map((char, i) => `${chars[i]}${char}`);
  }),
);

/** Whether a token of {@link tokenise} carries no meaning of its own in a query. */
export function isStopToken(token: string): boolean {
  return english.has(token) || chinese.has(token);
}
