import { words } from "./words.ts";

export const savingWords = words({
  en: {
    conflictTitle: "Changed by somebody else meanwhile",
    conflictHelp:
      "While you were editing, another tab, the command line or an editor changed the same settings. Choose for each what shall hold; nothing is lost until you save.",
    was: "Before",
    theirs: "Theirs",
    mine: "Yours",
    both: "Both together",
    nothing: "not set",
    choose: (setting: string) => `What shall ${setting} be?`,
    saveChoice: "Save the choice",
    keepEditing: "Keep editing",
  },
  zh: {
    conflictTitle: "期间有人改动了相同的设置",
    conflictHelp:
      "在你编辑时，另一个标签页、命令行或编辑器改动了同样的设置。请逐项选择以谁为准；保存之前什么都不会丢失。",
    was: "原来",
    theirs: "对方",
    mine: "我的",
    both: "两者合并",
    nothing: "未设置",
    choose: (setting: string) => `${setting} 以谁为准？`,
    saveChoice: "保存所选",
    keepEditing: "继续编辑",
  },
});
