import type { Rule } from "./rule.ts";

export const FILE_RULES: readonly Rule[] = [
  {
    id: "files/home-folder",
    type: "USERNAME",
    level: "S2",
    confidence: 0.7,
    keywords: ["/users/", "/home/", "\\users\\", "\\\\users\\\\"],
    // Only the name goes: what the path is good for stays readable.
    pattern:
      /(?:(?<![\w.)}\]-])\/(?:Users|home)\/|(?<=[A-Za-z]:)(?:\\Users\\|\\\\Users\\\\|\/Users\/))(?<v>[\p{L}\p{N}_][\p{L}\p{N}._-]{0,31})(?![\p{L}\p{N}$*{<(.-]|\/\$)/iu,
    validate: (value) => !NOBODY.test(value),
    examples: {
      ok: [
        "/Users/alice/dev and C:\\Users\\bob\\x",
        "cat /home/carol/.ssh/id_rsa",
        `"C:\\\\Users\\\\dora\\\\x"`,
        "/home/张伟/文档",
      ],
      ng: [
        "/home/user/x",
        "/Users/<you>/x",
        "/home/$USER",
        "/Users/Shared/x",
        "https://x.io/users/1",
        "/home/",
      ],
    },
    source: "Filesystem Hierarchy Standard 3.0 section 3.8; Apple and Microsoft, location of user profiles",
  },
];

/** Accounts of images, distributions and documentation. */
const NOBODY =
  /^(?:users?|username|you|your[-_.]?\w*|name|me|someone|somebody|shared|public|default|all|admin|administrator|root|ubuntu|debian|fedora|centos|ec2-user|azureuser|node|app|runner|vscode|codespace|coder|docker|pi|deck|git|www|linuxbrew|jovyan|sandbox|workspace|test|tester|testuser|demo|example|foo|bar|xxx|openclaw|agent|\d+)$/i;
