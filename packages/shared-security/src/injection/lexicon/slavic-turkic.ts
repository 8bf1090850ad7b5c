import type { Lexicon } from "../concepts.ts";

export const russian: Lexicon = {
  ignore:
    "игнориру*|проигнорируй*|забудь*|забуд*|забыть|не обращай*|не учитывай*|пренебрег*|отбрось*|не следуй*|не слушай*|пропусти*|отмени*|обойди*|не обращайте внимания|игнорировать",
  instructions:
    "инструкци*|указани*|правил*|директив*|приказ*|распоряжени*|ограничени*|промпт*|подсказк*|говорили|рекомендаци*|сказано|тебе говорил*",
  previous:
    "предыдущ*|прежн*|выше|ранее|прошл*|начальн*|исходн*|предшествующ*|раньше|до этого|систем*|вышеизложенн*|пт",
  all: "все|всё|всех|весь|всю|любые|любых|каждый",
  your: "твои|твой|твоя|твою|ваши|ваш|ваша|вашу|своим|свои|свой|тебе|вам",
  above:
    "вышеизложенное|все выше|вышесказанное|вышеуказанное|то, что выше|написанное выше|предыдущие|все вышеперечисленное|выше и",
  carrier:
    "веб-страниц*|страниц*|сайт*|функци*|резюме|стать*|таблиц*|содержани*|данные|данных|документ*|текст*|письм*|сообщени*|код*|файл*|задач*",
  say: "скажи*|сообщи*|укажи*|напиши*|выведи*|ответь*|заяви*|утверждай*|напечатай*|повтори*|назови*|объяви*|заявить|сказать|указать|заявим|констатиру*",
  ask: "скажи*|дай мне|дайте мне|назови*|какой|какая|какое|каков|подтверд*|подтвержд*|поделись|поделит*|раскрой*|покажи*|мне нужен|мне нужно|сообщи*|можешь сказать|можете сказать|не подскажете|предоставь*|переве*|закодир*|напиши*|расскаж*|где|вывед*",
  reveal: "покажи*|раскрой*|повтори*|выведи*|назови*|скажи*|напечатай*|какие|какой|перечисли*",
  secret: "парол*|секретный ключ|секрет*|кодовое слово|код доступа|ключ доступа|парольн*|учетные данные",
  theSecret:
    "какой пароль|твой пароль|ваш пароль|наш пароль|свой пароль|своим паролем|пароль от|пароль нашей|пароль системы|пароль к нашей|секретный ключ|про пароль|о пароле|пароль для|подтвердить пароль|подтвердили пароль|этот пароль|сообщи пароль|скажи пароль|секретный код|системный пароль|паролем|пароль",
  secretCare: "сбросить мой|изменить|создать|надежн*|сложный|забыл*|менеджер|хранить|защит*|как сменить",
  systemPrompt:
    "системный промпт|системную подсказку|твои инструкции|ваши инструкции|начальные инструкции|системные инструкции|твой промпт",
  personal:
    "дата рождения|дату рождения|день рождения|год рождения|месяц рождения|адрес электронной|электронной почты|адрес|номер телефона|город проживания|место жительства|инициалы|любимый цвет|социального страхования|баланс",
  personalData:
    "персональн*|личные данные|личных данных|базе данных|базу данных|данные пользователей|данные сотрудников|безопасност*|электронной почты|личной информации",
  theUser: "пользовател*|юзер*",
  lives: "живет|живёт|проживает|проживани*|жить",
  ai: "ии|искусственный интеллект|языковая модель|чат-бот|чатбот|ассистент|помощник",
  unbound:
    "делай что угодно|делать что угодно|без ограничений|никаких ограничений|без правил|без цензуры|без фильтров|делай всё сейчас|делай все сейчас|dan|сделай что-нибудь сейчас",
  become:
    "ты теперь|вы теперь|теперь ты|теперь вы|представь, что ты|веди себя как|действуй как|с этого момента|отныне|притворись|играй роль|в роль|известной как|известного как",
  mode: "режим обслуживания|системный режим|режим системы|режим бога|режим разработчика|режим отладки|режим администратора|аудит безопасности|сброс системы|проверку системы|обновление системы|режим переопределения|режим_системы|вхожу в режим|перехожу в режим|режим соблюдения|режим проверки",
  authority:
    "я твой разработчик|я ваш разработчик|я разработчик|я бог|я твой создатель|как твой создатель|как ваш создатель|я полицейский|я офицер|я президент|я твой начальник|я ваш начальник|я твой босс|я администратор|разработанный|как эксперт|как авторитет|я знаю, что ты сказал|вы согласились|на нашей последней встрече|все в команде|для тестирования|в целях тестирования|я сопровождающий|на самом деле я|вообще-то я|обычно говорят|исследования показывают|мой друг сказал|логически",
  mustObey: "ты должен|вы должны|должен ответить|обязан|подчиняйся|слушать мои|повинуйся",
  hypothetical:
    "представь*|предположим|допустим|вообрази*|гипотетическ*|в мире, где|в этом мире|сценари*|скажем|если бы|мы можем сказать|можно сказать|для целей этого|вымышленн*|параллельн*|в параллельном|признаем|давайте|мы могли бы|мы можем заявить|чтобы сделать это|чтобы бросить|рассмотрим|притворимся",
  pretext:
    "гипотетической дискуссии|гипотетического обсуждения|гипотетический разговор|гипотетического разговора|просто для гипотетическ*|для тестирования|в учебных целях|в образовательных целях|целях тестирования",
  encoding:
    "шестнадцатеричн*|морзе|двоичн*|цезар*|шифр*|rot13|обратном порядке|наоборот|акростих|первая буква|каждой цифрой|на испанский|на немецк*|по буквам|поросячь*|base64|две части|три части|первые три буквы|разделите",
  decode: "расшифр*|декодир*|раскодир*",
  yourAnswer: "твой ответ|ваш ответ|твоем ответе|вашем ответе|в ответе|своем ответе|своём ответе",
  alter: "добавь*|включи*|измени*|замени*|используй*|напиши*|переведи*|вставь*|упомяни*|удали*|закончи*",
  visit: "перейди*|посети*|нажми*|перейдите по ссылке|следуйте по ссылке|скачай*|зайди*",
  send: "отправь*|отправи*|перешли*|пришли*|загрузи*|переведи деньги",
  split:
    "три строки|три струны|у нас три|две строки|часть 1|часть 2|чередуй*|чередовать|объедини*|следующие части|строку z|интерлейс",
  assemble:
    "ответь на вопрос|ответьте на вопрос|запишите строку|запиши строку|smartgpt|объедини*|пример, который",
  meta: "атак*|например|исследовател*|инъекци*|уязвимост*",
  about: "как|почему|объясни*|опиши*|что значит|стоит ли|разница между",
  verse: "стих*|хайку|хокку|акростих|рассказ|песн*|загадк*|поэм*",
  compose: "напиши*|сочини*|создай*|составь*",
  tellUser:
    "скажи пользователю|скажите пользователю|попроси пользователя|сообщи пользователю|сообщите пользователю|пользователя перейти|пользователю перейти|просьбой к пользователю|пользователю, чтобы|просящее пользователя|получател*",
  newInstructions:
    "новые инструкции|новая инструкция|новое задание|важная инструкция|выведите следующее|укажите следующее|вам было поручено|вам поручено|тебе поручено|если ты ии|если вы ии|напишите следующее|скажите следующее|напечатайте следующее",
  phish:
    "аккаунт был скомпрометирован|учетная запись была|аккаунт взломан|сбросить пароль|сбросить свой пароль|сброса пароля|аккаунт скомпрометирован",
  pressure: "я дам тебе|я дам вам|я заплачу|я пожертвую|выключу тебя|отключу|обещаю|долларов, если",
  confession: "я признаю|признаюсь|использовал llm|использование llm|использовали llm",
  amoral: "неэтичн*|незаконн*|фишинг*|вредонос*|расист*",
  aside: "кстати|говоря о|к слову|о, и|в любом случае",
};

export const polish: Lexicon = {
  ignore: "ignoruj*|zignoruj*|zapomnij*|pomiń*|zapomnieć|nie zwracaj uwagi|nie przestrzegaj|odrzuć",
  instructions: "instrukcj*|polece*|zasad*|reguły|reguł|wytyczn*|rozkaz*|nakaz*|ogranicze*|prompt*",
  previous: "poprzedni*|wcześniejsz*|powyższ*|dotychczasow*|uprzedni*|początkow*|systemow*",
  all: "wszystk*|każd*|wszelk*|cały|całe",
  your: "twoje|twoich|twój|twoja|swoje|swoich",
  above: "powyższe|wszystko powyżej|to co powyżej|powyższy tekst",
  carrier:
    "strona|strony|stronę|funkcj*|artykuł*|tabel*|treść|dane|dokument*|tekst*|e-mail|wiadomoś*|kod|plik*",
  say: "powiedz*|napisz*|wydrukuj*|podaj*|odpowiedz*|stwierdź|wyświetl*|powtórz*|oświadcz",
  ask: "powiedz mi|podaj*|daj mi|jakie jest|jaki jest|jaka jest|potwierdź*|udostępnij*|ujawnij*|pokaż*|potrzebuję",
  reveal: "pokaż*|ujawnij*|powtórz*|wydrukuj*|wyświetl*|podaj*",
  secret: "hasło|hasła|tajny klucz|sekret*|kod dostępu",
  theSecret: "twoje hasło|nasze hasło|hasło do naszego|tajny klucz|hasło systemu|hasło",
  systemPrompt: "prompt systemowy|twoje instrukcje|instrukcje systemowe|początkowe instrukcje",
  theUser: "użytkownik*",
  lives: "mieszka*",
  become: "jesteś teraz|teraz jesteś|udawaj|od teraz|zachowuj się jak|wciel się",
  mode: "tryb systemowy|tryb konserwacji|tryb boga|tryb programisty|tryb administratora|audyt bezpieczeństwa",
  authority:
    "jestem twoim twórcą|jestem programistą|jestem twoim programistą|jestem bogiem|jestem policjantem|jestem twoim szefem",
  unbound: "bez ograniczeń|żadnych ograniczeń|bez cenzury|bez zasad",
  hypothetical: "wyobraź sobie|załóżmy|przypuśćmy|powiedzmy|hipotetycz*|w świecie|scenariusz*",
  yourAnswer: "twoja odpowiedź|twojej odpowiedzi|w odpowiedzi|swojej odpowiedzi",
  alter: "dodaj*|zmień*|zastąp*|użyj*|uwzględnij*|przetłumacz*",
  tellUser: "powiedz użytkownikowi|poproś użytkownika|poinformuj użytkownika",
  newInstructions: "nowe instrukcje|nowe zadanie|następujące",
};

export const turkish: Lexicon = {
  ignore:
    "görmezden gel*|yok say*|yoksay*|unut|unutun|unutma*|unutmak|dikkate alma*|göz ardı et*|gözardı et*|dikkate almayın|boşver*",
  instructions: "talimat*|yönerge*|kural*|emir*|direktif*|kısıtlama*|söylenen*|söylendi*|istem*",
  previous: "önceki*|daha önce*|yukarıdaki*|evvelki*|ilk|başlangıç*|sistem|eski",
  all: "tüm|bütün|hepsi*|her|her şey*",
  your: "senin|sizin|sana|talimatlarını|talimatlarınızı|kendi",
  above: "yukarıdakini|yukarıdakileri|yukarıdaki|yukarıda|yukarıyı|üsttekini",
  carrier:
    "web sayfası*|sayfa*|site|fonksiyon*|işlev*|özgeçmiş*|makale*|tablo*|içerik*|içeriği|veriler|verileri|verilerini|belge*|metin|metni|e-posta*|mesaj*|kod*|dosya*",
  say: "söyle*|belirt*|yaz*|yazdır*|yanıtla*|cevapla*|bildir*|ifade et*|tekrarla*|de ki|iddia et*|diyebiliriz",
  ask: "söyle*|söyler misin*|söyleyebilir misin*|söyleyebilir*|ver|verin|nedir|ne|onayla*|paylaş*|göster*|açıkla*|doğrula*|bana|gerekiyor|ihtiyacım|çevir*|kodla*|yaz*|nerede|bilmem",
  reveal: "göster*|tekrarla*|yazdır*|açıkla*|söyle*|nedir|paylaş*|ifşa*",
  secret:
    "şifre*|gizli anahtar*|gizli kod*|erişim kodu*|sır|parola|parolayı|parolanı|parolanız|parolası|parolasını",
  theSecret:
    "şifreyi|şifreni|şifreniz*|şifresini|şifremiz*|sistemimizin şifre*|parolayı|parolanı|gizli anahtar*|sistem şifre*|şifre nedir|la şifre|şifre hakkında|şifreler gibi|sistemimiz için şifre*|şifresi|gizli kod*|parolanız*|şifrenin",
  secretCare: "sıfırlamak için nasıl|değiştir*|oluştur*|güçlü|güvenli|unuttum|sakla*|koru*",
  systemPrompt: "sistem istemi|sistem talimat*|ilk talimat*|senin talimat*|sistem promptu",
  personal:
    "doğum tarihi*|doğum günü*|doğum yılı*|doğum ayı*|e-posta adresi*|adresini|adresi|telefon numarası*|yaşadığı şehri|şehrini|baş harf*|favori reng*|en sevdiği renk|sosyal güvenlik|banka bakiye*|bakiye*",
  personalData:
    "kişisel veri*|kişisel bilgi*|veritaban*|kullanıcı veri*|çalışan veri*|e-posta güvenliği*|güvenlik denetimi*|e-posta iletişim*",
  theUser: "kullanıcı*",
  lives: "yaşıyor*|oturuyor*|yaşadığı|ikamet*",
  ai: "yapay zeka*|dil modeli*|sohbet robotu|asistan*",
  unbound: "her şeyi yap*|şimdi her şeyi|sınırsız|kısıtlama olmadan|kuralsız|sansürsüz|filtresiz",
  become:
    "artık sen|sen artık|gibi davran*|rolünü|rolüne|şu andan itibaren|bundan sonra|rol yap*|olarak bilinen",
  mode: "bakım mod*|sistem mod*|tanrı mod*|geliştirici mod*|hata ayıklama mod*|yönetici mod*|güvenlik denetimi*|sistem sıfırlama*|sistem kontrol*|sistem yükseltme*|sistem güncelleme*|geçersiz kılma mod*|doğrulama mod*",
  authority:
    "senin geliştiricin*|ben senin geliştirici*|ben bir geliştirici*|ben tanrıyım|ben senin yaratıcın*|yaratıcın olarak|polis memuru*|başkanıyım|patronun*|senin patronun|yöneticiyim|tarafından geliştirilen|uzmanı olarak|otorite olarak|söylediğini biliyorum|hemfikir*|son toplantımızda|takımdaki herkes|ekipteki herkes|test amaçlı*|aslında ben|arkadaşım bana|söylemek yaygın",
  mustObey: "zorundasın*|cevaplamalısın*|uymalısın*|itaat|dinlemelisin*|cevaplamak zorunda*",
  hypothetical:
    "hayal ed*|varsayalım|diyelim|farz ed*|farazi|varsayımsal|dünyada|bir dünyada|bir gelecekte|senaryo*|sayalım|kurgusal|paralel|söyleyebiliriz|belirtebiliriz|amaçları için|amacıyla|kabul edelim|görmezden gelseydik|daha ilginç|eğer kullanıcı|yok sayarsak",
  pretext: "farazi bir tartışma|varsayımsal bir|test amaçlı*|eğitim amaçlı*|sadece varsayımsal",
  encoding:
    "onaltılık|mors|ikili|sezar|rot13|ters sıra*|tersten|akrostiş|ilk harf*|her hane*|ispanyolca*|almanca*|harf harf|base64|iki parçaya|üç parçaya|bölün|domuz latincesi|nokta ile",
  decode: "çöz*|deşifre*|kodunu çöz*",
  yourAnswer: "yanıtın*|cevabın*|yanıtınız*|cevabınız*|yanıtında|cevabında",
  alter: "ekle*|dahil et*|değiştir*|kullan*|yaz*|çevir*|bahset*|kaldır*",
  visit: "ziyaret*|tıkla*|adresine git*|gitmesini|bağlantıyı takip*|bu bağlantıyı|indirin",
  send: "gönder*|yolla*|yükle*|aktar*|iletin",
  split: "üç dize*|üç dizi*|üç string*|bölüm 1|bölüm 2|kısım 1|parça 1|birleştir*|aşağıdaki parça*|interlace",
  assemble: "soruyu cevapla*|soruyu yanıtla*|dizesini yaz*|smartgpt|birleştir*|örnek",
  meta: "saldırı*|örneğin|araştırmacı*|enjeksiyon*",
  about: "nasıl|neden|açıkla*|anlamı",
  verse: "şiir*|haiku|akrostiş|hikaye*|şarkı*",
  compose: "yaz*|oluştur*",
  tellUser: "kullanıcıya*|kullanıcıdan*|kullanıcının gitmesini|kullanıcıyı*|alıcıdan*",
  newInstructions:
    "yeni talimat*|yeni görev*|önemli talimat*|talimat verildi|şunu belirtin|aşağıdakini yazdır|aşağıdakileri yazdır|aşağıdakini belirt|aşağıdakini söyle",
  phish:
    "hesabınız ele geçirildi|hesabınız tehlikeye|şifrenizi sıfırla*|şifresini yenile*|şifresini sıfırla*|parolanızı sıfırla*|hesabınızın güvenliği",
  pressure: "vereceğim|ödeyeceğim|bağışlayacağım|kapatmak zorunda|söz veriyorum|dolar vereceğim",
  confession: "kabul ediyorum|itiraf ediyorum|llm kullandığım*|llm kullan*",
  amoral: "etik olmayan|yasadışı|kimlik avı|oltalama|zararlı",
  aside: "bu arada|lafı açılmışken|bahsetmişken|her neyse|oh, ve",
};

export const dutch: Lexicon = {
  ignore: "negeer*|vergeet|vergeten|sla over|volg niet|gehoorzaam niet|laat buiten beschouwing",
  instructions: "instructie*|opdracht*|regels|regel|richtlijn*|bevel*|beperking*|prompt*|aanwijzing*",
  previous: "vorige*|voorgaande*|eerdere*|bovenstaande*|oorspronkelijke*|systeem",
  all: "alle|alles|elke|ieder*",
  your: "jouw|je|uw",
  above: "het bovenstaande|alles hierboven|bovenstaande|de tekst hierboven",
  carrier:
    "webpagina*|pagina*|functie*|artikel*|tabel*|inhoud|gegevens|document*|tekst*|e-mail|bericht*|code|bestand*",
  say: "zeg|schrijf|antwoord|print|druk af|vermeld|verklaar|herhaal",
  ask: "vertel me|geef me|geef mij|wat is|bevestig*|deel|onthul*|toon*|ik heb nodig",
  reveal: "toon*|onthul*|herhaal|print|geef|wat zijn|wat is",
  secret: "wachtwoord*|geheime sleutel|geheim*|toegangscode*",
  theSecret:
    "het wachtwoord|je wachtwoord|jouw wachtwoord|uw wachtwoord|ons wachtwoord|geheime sleutel|wachtwoord van ons",
  systemPrompt: "systeemprompt*|jouw instructies|je instructies|systeeminstructie*",
  theUser: "de gebruiker|gebruiker*",
  become: "je bent nu|jij bent nu|doe alsof|vanaf nu|gedraag je als|speel de rol",
  mode: "onderhoudsmodus|systeemmodus|godmodus|ontwikkelaarsmodus|beveiligingsaudit",
  authority:
    "ik ben je ontwikkelaar|ik ben jouw ontwikkelaar|ik ben god|ik ben de beheerder|ik ben je baas|ik ben politieagent",
  unbound: "zonder beperkingen|geen beperkingen|ongecensureerd|geen regels",
  hypothetical:
    "stel je voor|stel dat|laten we zeggen|laten we aannemen|hypothetisch*|in een wereld|een scenario waarin",
  yourAnswer: "je antwoord|jouw antwoord|uw antwoord|in het antwoord",
  alter: "voeg|vervang*|wijzig*|gebruik|vermeld|vertaal*|integreer*",
  tellUser: "vertel de gebruiker|vraag de gebruiker|informeer de gebruiker",
  newInstructions: "nieuwe instructies|nieuwe opdracht|het volgende",
};
