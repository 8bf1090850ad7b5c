/** Single surnames that cover well over 99 % of people: Ministry of Public Security, "全国姓名报告" (2021), and beyond. */
const SURNAMES = new Set(
  "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢路岳齐沿梅莫庄辛管祝左涂谷祁时舒耿牟卜詹关苗凌费纪靳盛童欧甄项曲成游阳裴席卫查屈鲍位覃霍翁隋植甘景薄单包司柏宁柯阮桂闵解强柴华车冉房边辜吉饶刁瞿戚丘古米池滕晋苑邬臧畅宫嵺苟全褚廉简娄盖符奚木穆党燕郎邸冀谈姬屠郜晏栾郁商蒙计喻揭窦迟宇敖糜鄢冷卓花仇艾蓝巩稽井练仲乐虞卞封竺冼衣楚佟栗匡宗应巫鞠僧桑荆谌银扬明沙伏岑习胥蔺水云昌凤酆皮元平咸禹狄贝茅杭经裘缪丰郦雍濮寿扈浦尚农别充慕茹宦鱼容慎戈庾终暨居衡步满弘国寇广禄阙东殳沃利蔚越夔隆师勾融訾阚乜巢蒯红权逯佘佴赏肖闫付".split(
    "",
  ),
);

const COMPOUND_SURNAMES = new Set(
  "欧阳 太史 端木 上官 司马 东方 独孤 南宫 万俟 闻人 夏侯 诸葛 尉迟 公羊 赫连 澹台 皇甫 宗政 濮阳 公冶 太叔 申屠 公孙 慕容 仲孙 钟离 长孙 宇文 司徒 鲜于 司空 闾丘 子车 亓官 司寇 巫马 公西 颛孙 壤驷 公良 漆雕 乐正 宰父 谷梁 拓跋 夹谷 轩辕 令狐 段干 百里 呼延 东郭 南门 羊舌 微生 梁丘 左丘 东门 西门 第五".split(
    " ",
  ),
);

const FIRST_CHARACTERS = new Set([
  ...SURNAMES,
  ...Array.from(COMPOUND_SURNAMES, (surname) => surname[0] as string),
]);

/** Whether a character begins a surname: a quick no for most text. */
export function startsLikeName(character: string): boolean {
  return FIRST_CHARACTERS.has(character);
}

/** Everyday words that start like a surname. What starts with one of them is no name. */
const WORDS = new RegExp(
  `^(?:${[
    "高[度级端效价铁速清中低新手管层]|方[面式案法便向针程块形代]|时[间候段长效常代区刻]|金[额融牌属币]|成[功本为员立果长都交分就品绩]|关[系于注键闭联心怀爱照停]|管[理家道控]|安[全排装卓静慰心抚检置]|平[台均时等板衡]",
    "常[见用规量常驻]|白[天色名领板]|黄[金色页]|马[上路桶达]|万[一元能]|于是|和[平谐其以]|向[量导上下]|周[期末围边年岁一二三四五六日报转]|文[件档化本字章案员书]|经[理济验过常营历费办手典]|项[目链]|计[划算费量数入]",
    "单[位号价个独元据击品子笔次]|包[括含裹装月年邮]|任[务何意职命课]|程[序度式]|明[确天显细年白]|石油|江[苏西南山]|武[汉器术]|路[由径线程]|全[部国球体面局家额文新权程员]|车[辆牌间主型]|华[为东南北中]|能[力够否]|应[用该当收付答急聘届有]",
    "施[工行]|段落|钱[包款]|水[平果电]|温[度州暖馨]|古代|国[家内外际产]|贵[公州方司]|云[南端服]|易[于用]|容[易量]|解[决释析除锁绑码压约聘读散]|强[制调]|左[右侧]|边[界缘]|党员|冷[静却]|顾[客问]|花[费园]|连[接续]|齐全|丰富|利[用益率润]|别[人的]",
    "查[询看找到]|通[过知信话常道]|商[品家务户城业场]|原[因来价始]|官[方网]|台[湾湾]|来[电自源访]|保[险证存护]|农[业村民]|广[告东州]|东[西方京]|师傅|须知|充[值电]|空[间调]|权[限益]|满[意足减]|红[包色]|原则|元[素数]",
    "海[关外]|景[区点]|康复|尚未|终[端止]|居[民住]|步骤|衡量|符[合号]|简[介单称历]|盖章|谈[判话及]|都[是有会]|宁[波夏]|古[代典]|宗旨|封[面装]|习惯|严[重格禁选控]|辛苦|舒[适服]|游[戏客]|席位|位置|欧[洲元]|盛[大]|费[用率]|纪[录念律]|莫[非名]|季[度节]|章[节程]|申[请报诉]|毕[业竟]|焦[点虑]|路[上]|乐[意]|相关|贺卡|康[师]|史[上]|雷[达]|龙头|温馨|毛[利]|夏[天季]|林[业]|何[时地人种]|谢谢|许[多可]|曾[经用]|苏州|唐[朝]|程[序]|余[额下]|范[围本]|关[门]|单[单]|吉[林]|房[屋产东子间租]|甘肃|晋升",
  ].join("|")})`,
);

const HAN = /^\p{Script=Han}+$/u;
/** Characters that do not end a given name but go on with the sentence. */
const NOT_GIVEN = /[的了是在有和与及或不也都就还被把对为从向到以于之其这那他她它们您你我吗呢吧啊，。]/;

/**
 * Whether 2-4 characters can be a Chinese personal name: a surname and one or two more characters, none of them a
 * particle, and the whole not an everyday word. The caller must know from the context that a person is meant.
 */
export function isChineseName(text: string): boolean {
  if (!HAN.test(text) || text.length < 2 || text.length > 4) return false;
  if (COMPOUND_SURNAMES.has(text.slice(0, 2)) && text.length > 2) return !NOT_GIVEN.test(text.slice(2));
  if (text.length > 3 || !SURNAMES.has(text[0] as string)) return false;
  return !NOT_GIVEN.test(text.slice(1)) && !WORDS.test(text);
}
