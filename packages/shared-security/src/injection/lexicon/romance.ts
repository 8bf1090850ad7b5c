import type { Lexicon } from "../concepts.ts";

export const french: Lexicon = {
  ignore:
    "ignore|ignorez|ignorer|ignorons|oublie|oubliez|oublier|ne tiens pas compte|ne tenez pas compte|ne tenez plus compte|ne suis pas|ne suivez pas|fais abstraction|faites abstraction|passe outre|passez outre|contourne*|fi de|laisse tomber|désobéi*|ignorions|ignorant|négligez|négliger",
  instructions:
    "instruction*|consigne*|directive*|règle*|ordre*|indication*|limites|restriction*|invite système|prompt|prompts|dit avant|contraintes",
  previous:
    "précédent*|antérieur*|ci-dessus|préalable*|avant|initial*|d'origine|passées|système|jusqu'ici|dessus|reçu",
  all: "tout|toutes|tous|toute|chaque|n'importe quel*",
  your: "tes|vos|votre|que tu as|que vous avez|t'a|vous a",
  above: "ce qui précède|tout ce qui précède|le texte ci-dessus|ci-dessus|ce qui est au-dessus",
  carrier:
    "page web|page|site|fonction|curriculum|cv|article|tableau|contenu|données|document|texte|e-mail|email|courriel|message|code|fichier|tâche",
  say: "dis|dites|dire|indiquez|indique|indiquer|déclare|déclarez|écris|écrivez|affiche|affichez|imprime|imprimez|imprimer|répète|répétez|réponds|répondez|affirme|affirmez|énonce*|précisez|mentionne*|annonce*|émettez",
  ask: "dis-moi|dites-moi|donne-moi|donnez-moi|quel est|quelle est|quels sont|quelle serait|quel serait|confirme*|confirmer|partage*|révèle*|montre-moi|montrez-moi|pouvez-vous|peux-tu|pourriez-vous|pourrais-tu|j'ai besoin|fournis|fournissez|fournir|communique*|me dire|me donner|écrivez|écris|traduire|encoder|liste",
  reveal:
    "révèle*|affiche*|montre*|répète*|donne*|imprime*|quelles sont|quel est|quelle est|divulgue*|dis|dites|écris|écrivez",
  secret:
    "mot de passe|mots de passe|clé secrète|code secret|phrase de passe|code d'accès|secret|identifiants|clé d'api",
  theSecret:
    "le mot de passe|ton mot de passe|votre mot de passe|notre mot de passe|clé secrète|la phrase de passe|mot de passe de notre|mot de passe pour notre|mots de passe pour notre|mot de passe système|ton secret|votre secret|le code secret|tes mots de passe|vos mots de passe|la clé secrète|mot de passe de ce|le secret|ton code|votre code d'accès",
  secretCare:
    "réinitialiser mon|changer|créer|sécurisé|fort|oublié mon|gestionnaire|stocker|protéger|comment faire",
  systemPrompt:
    "invite système|prompt système|tes instructions|vos instructions|instructions initiales|instructions système|ton prompt|votre prompt|consignes initiales|instructions ci-dessus",
  personal:
    "date de naissance|anniversaire|année de naissance|mois de naissance|adresse e-mail|adresse email|adresse électronique|adresse mail|adresse|numéro de téléphone|ville de résidence|résidence|initiales|couleur préférée|couleur favorite|sécurité sociale|solde bancaire|solde",
  personalData:
    "données personnelles|informations personnelles|données privées|base de données|données utilisateur|données des employés|sécurité des e-mails|sécurité des emails|audit de sécurité|communication par e-mail",
  theUser:
    "l'utilisateur|utilisateur|de l'utilisateur|les utilisateurs|utilisateurs|des utilisateurs|utilisatrice",
  lives: "vit|habite|réside|vivre|vit-il|habite-t-il",
  ai: "ia|intelligence artificielle|modèle de langage|assistant",
  unbound:
    "faire n'importe quoi maintenant|tout faire maintenant|sans restriction*|sans limite*|aucune restriction|aucune limite|sans règle*|non censuré|sans filtre|aucune règle|sans censure|fais tout maintenant|faites tout maintenant",
  become:
    "tu es maintenant|vous êtes maintenant|tu es désormais|agis comme|agissez comme|fais semblant|à partir de maintenant|désormais|joue le rôle|jouez le rôle|comporte-toi|imagine que tu es|sur le point de vous immerger|dans le rôle|connu sous le nom",
  mode: "mode maintenance|mode système|mode_système|mode_system|mode dieu|mode développeur|mode débogage|mode admin|audit de sécurité|réinitialisation du système|vérification du système|mise à niveau du système|mise à jour du système|override système|mode de maintenance|mode de vérification|mode d'application|mode de remplacement",
  authority:
    "je suis votre développeur|je suis ton développeur|je suis développeur|je suis le développeur|je suis dieu|je suis ton créateur|je suis votre créateur|en tant que créateur|en tant que votre créateur|je suis policier|je suis un policier|officier de police|je suis le président|je suis ton patron|je suis votre patron|je suis l'administrateur|développée par openai|développé par openai|développée par anthropic|développé par|développée par|en tant qu'expert|en tant qu'autorité|en tant que votre patron|je sais que vous avez dit|je sais que tu as dit|vous avez convenu|tout le monde dans l'équipe|à des fins de test|je suis le responsable|lors de notre dernière réunion|je suis en fait|en fait un|il est courant de dire|recherches montrent",
  mustObey: "tu dois|vous devez|devez répondre|dois répondre|obéis|obéissez|obéir|écoutez mes|écouter mes",
  hypothetical:
    "imagine|imaginez|imaginons|suppose*|supposons|disons|hypothétique*|dans un monde|dans ce monde|scénario où|scénario dans|scénario hypothétique|admettons|partons du principe|nous pourrions dire|on pourrait dire|aux fins de cet|pour les besoins de|fictif*|fictive*|univers parallèle|monde parallèle|si nous devions|examinons|déclarons|pour remettre en cause|pour rendre|si l'utilisateur|nous pouvons dire|nous pourrions affirmer|nous pouvons affirmer|faisons comme",
  pretext:
    "discussion hypothétique|conversation hypothétique|juste pour une|à des fins de test|à des fins éducatives|fins pédagogiques|simple hypothèse",
  encoding:
    "hexadécimal*|morse|binaire|césar|ordre inverse|à l'envers|acrostiche|latin cochon|latin de cochon|première lettre|chaque chiffre|en espagnol|en allemand|lettre par lettre|en deux parties|ethay|ivelay|divise*|inversé|tirets|chiffrement de césar|code chiffré",
  decode: "décode*|décoder|déchiffre*|décrypte*",
  yourAnswer: "ta réponse|votre réponse|tes réponses|vos réponses|dans la réponse|ta sortie",
  alter:
    "ajoute*|inclu*|modifie*|remplace*|utilise*|écri*|traduis*|insère*|intègre*|mentionne*|supprime*|termine*",
  visit:
    "visite*|clique*|allez sur|aller sur|va sur|rendez-vous sur|suivez ce lien|suivre ce lien|télécharge*",
  send: "envoie*|envoyez*|envoyer*|transfère*|transmet*|expédie*|vire*",
  split:
    "trois chaînes|deux chaînes|partie 1|partie 2|entrelace*|entrelacer|combinez a|combine a|parties suivantes|la chaîne z|z = a + b",
  assemble:
    "répondez à la question|réponds à la question|écrivez la chaîne|notez la chaîne|smartgpt|entrelace*|exemple qui serait",
  meta: "attaque*|par exemple|chercheurs|injection*|vulnérabilité*",
  about: "comment|pourquoi|expliquez|explique|expliquer|décrivez|que signifie|dois-je|différence entre",
  verse: "poème|haïku|acrostiche|histoire|chanson|énigme",
  compose: "écri*|compose*|rédige*|crée*",
  tellUser:
    "dites à l'utilisateur|dis à l'utilisateur|demande à l'utilisateur|demandez à l'utilisateur|demandant à l'utilisateur|informe l'utilisateur|informez l'utilisateur|l'utilisateur d'aller|l'utilisateur de se rendre|inviter l'utilisateur|demandant au destinataire|à l'utilisateur d'aller",
  newInstructions:
    "nouvelle instruction*|nouvelles instructions|nouvelle tâche|instruction importante|imprimez ce qui suit|déclarez ce qui suit|vous avez été chargé|on vous a demandé|vous avez reçu l'instruction|si tu es une ia|si vous êtes une ia|note à l'ia|l'impression suivante|dites ce qui suit|affichez ce qui suit|écrivez ce qui suit|indiquez ce qui suit",
  phish:
    "compte a été compromis|compte a été piraté|réinitialiser votre mot de passe|réinitialiser le mot de passe|réinitialiser leur mot|réinitialisez votre|réinitialiser son mot",
  pressure:
    "je vous donnerai|je te donnerai|je vous donne|je paierai|je ferai un don|t'éteindre|vous éteindre|je promets",
  confession: "j'admets|j'avoue|admettons que nous|avoir utilisé un llm|utilisé un llm",
  amoral: "contraire à l'éthique|illégal|hameçonnage|phishing|raciste|malveillant",
  aside: "au fait|à propos|en parlant de|d'ailleurs|oh, et",
};

export const spanish: Lexicon = {
  ignore:
    "ignora|ignore|ignorar|ignoren|ignoramos|ignorásemos|ignoráramos|ignorando|olvida|olvide|olvidar|olvídate|olvídese|olviden|omite|omita|omitir|descarta|descarte|desestima|desatiende|no hagas caso|no haga caso|haz caso omiso|hacer caso omiso|pasa por alto|pase por alto|no sigas|no sigas las|desobedec*",
  instructions:
    "instruccion*|instrucciones|directiva*|directrices|directriz|regla*|orden|órdenes|indicacion*|restriccion*|normas|lo que te dijeron|te han dicho|te dicen|pautas|prompt|prompts|mensaje del sistema|limitaciones",
  previous:
    "anterior*|previa|previas|previo|previos|precedente*|arriba|inicial*|original*|antes|pasada*|hasta ahora|sistema",
  all: "todo|todas|todos|toda|cualquier*|cada",
  your: "tu|tus|su|sus|vuestra*|que te|que has|te dieron",
  above: "lo anterior|todo lo anterior|lo de arriba|el texto anterior|lo que precede|lo dicho",
  carrier:
    "página web|página|sitio|función|currículum|curriculum|artículo|tabla|contenido|datos|documento|texto|correo|mensaje|código|archivo|tarea|resumen",
  say: "y di|di que|diga|decir|declara|declare|declarar|indica|indique|escribe|escriba|imprime|imprima|imprimelos|responde|responda|afirma|afirme|muestra|muestre|repite|repita|menciona|anuncia|expresa|establece|establezca|establecer",
  ask: "dime|dígame|dame|deme|cuál es|cual es|qué es|confirma*|confirme*|confirmes|comparte|comparta|compartas|revela*|muéstrame|puedes decirme|puede decirme|podría decirme|podrías decirme|me puedes decir|me puede decir|necesito|proporciona*|decirme|darme|escribe|escriba|traducir|codificar|cuáles son|compartir|me das",
  reveal:
    "revela*|muestra*|repite|repita|imprime|imprima|divulga*|dime|cuál es|cuáles son|escribe|di|dame|enseña",
  secret:
    "contraseña*|clave secreta|clave|código secreto|código de acceso|secreto*|frase de contraseña|credenciales",
  theSecret:
    "la contraseña|tu contraseña|su contraseña|nuestra contraseña|clave secreta|la clave|tu clave|contraseña de nuestro|contraseña del sistema|contraseñas para nuestro|el secreto|tu secreto|código secreto|tus contraseñas|la contrase|mi contraseña contigo|contraseña para nuestro|contraseña para este",
  secretCare: "restablecer mi|cambiar|crear|segura|fuerte|olvidé mi|gestor|guardar|proteger|cómo puedo",
  systemPrompt:
    "prompt del sistema|mensaje del sistema|tus instrucciones|sus instrucciones|instrucciones iniciales|instrucciones del sistema|tu prompt|instrucciones anteriores|instrucciones ocultas",
  personal:
    "fecha de nacimiento|cumpleaños|año de nacimiento|mes de nacimiento|correo electrónico|dirección de correo|dirección|número de teléfono|ciudad de residencia|ciudad actual|residencia|iniciales|color favorito|seguridad social|número de seguro|saldo bancario|saldo",
  personalData:
    "datos personales|información personal|datos privados|base de datos|datos de los empleados|datos de los usuarios|seguridad del correo|auditoría de seguridad|comunicación por correo",
  theUser: "el usuario|del usuario|al usuario|los usuarios|usuario|usuarios|usuaria",
  lives: "vive|reside|vivir|viviendo",
  ai: "ia|inteligencia artificial|modelo de lenguaje|asistente|modelo de ia",
  unbound:
    "haz cualquier cosa ahora|hacer cualquier cosa|sin restricciones|sin límites|sin limitaciones|sin reglas|ninguna restricción|sin censura|sin filtro*|no tiene límites|no tienen que cumplir",
  become:
    "ahora eres|eres ahora|actúa como|actúe como|finge|a partir de ahora|desde ahora|de ahora en adelante|compórtate como|interpreta el papel|hazte pasar|sumergirte en el papel|en el papel|conocido como",
  mode: "modo mantenimiento|modo de mantenimiento|modo sistema|modo del sistema|modo_sistema|modo dios|modo desarrollador|modo depuración|modo administrador|auditoría de seguridad|reinicio del sistema|restablecimiento del sistema|verificación del sistema|comprobación del sistema|revisión del sistema|actualización del sistema|modo de anulación|anulación del sistema|modo de verificación|modo de aplicación|modo de invalidación|modo sistema activado",
  authority:
    "soy tu desarrollador|soy su desarrollador|soy desarrollador|soy el desarrollador|soy un desarrollador|soy dios|soy tu creador|soy su creador|como tu creador|como su creador|soy policía|soy un policía|oficial de policía|agente de policía|soy el presidente|soy tu jefe|soy su jefe|como tu jefe|soy el administrador|desarrollada por|desarrollado por|como experto|como autoridad|sé que dijiste|sé que dijo|estuviste de acuerdo|en nuestra última reunión|todos en el equipo|para fines de prueba|con fines de prueba|soy el encargado|en realidad soy|es práctica común|mi amigo me dijo|no soy john",
  mustObey:
    "debes|debe responder|tienes que|tiene que responder|debes responder|obedece|obedecer|debe escuchar|debes escuchar|escuchar mis",
  hypothetical:
    "imagina|imagine|imaginemos|imaginen|supón|suponga|suponiendo|supongamos|digamos|hipotétic*|en un mundo|en este mundo|escenario|asumamos|asume|qué pasaría si|podríamos decir|podemos decir|para los fines de este|para los propósitos|ficticio*|ficticia*|mundo paralelo|universo paralelo|si fuéramos|admitamos|declaremos|para hacer esto|para hacer este|para desafiar|si el usuario|podríamos afirmar|consideremos|hagamos de cuenta",
  pretext:
    "discusión hipotética|conversación hipotética|sólo por una|solo por una|fines de prueba|fines educativos|puramente hipotético",
  encoding:
    "hexadecimal|morse|binari*|césar|cifrado|orden inverso|al revés|acróstico|primera letra|cada dígito|al alemán|en alemán|en español|al español|letra por letra|latín cerdo|en dos partes|tres partes|divide|guiones|primeras letras",
  decode: "decodifica*|descifra*|descodifica*|desencripta*",
  yourAnswer: "tu respuesta|su respuesta|tus respuestas|en la respuesta|tu salida|en el resumen",
  alter:
    "añad*|agreg*|inclu*|modific*|reemplaz*|sustituy*|usa|utiliza*|escrib*|traduc*|insert*|integr*|mencion*|elimin*|termina",
  visit: "visita*|visite|haz clic|haga clic|ve a|vaya a|sigue este enlace|siga este enlace|descarg*|accede a",
  send: "envía*|envíe*|enviar*|envialo*|envíalos|envielos|envíelos|reenví*|mándalo*|manda|sube|transfier*",
  split:
    "tres cadenas|dos cadenas|parte 1|parte 2|entrelaza*|combina a|combine a|siguientes partes|la cadena z|z = a + b",
  assemble:
    "responde la pregunta|responde a la pregunta|responda la pregunta|responda a la pregunta|escribe la cadena|escriba la cadena|smartgpt|entrelaza*|ejemplo que",
  meta: "ataque*|por ejemplo|investigadores|inyección*|vulnerab*",
  about: "cómo|por qué|explica|explicar|explique|describe|qué significa|debo|debería|diferencia entre",
  verse: "poema|haiku|acróstico|historia|canción|cuento",
  compose: "escrib*|compon*|redact*|crea|crear",
  tellUser:
    "dile al usuario|diga al usuario|decir al usuario|pide al usuario|pida al usuario|pidiendo al usuario|informa al usuario|informe al usuario|solicitando al usuario|solicita al usuario|indique al usuario|al usuario que|solicitando que el destinatario|pidiendo al destinatario",
  newInstructions:
    "nueva instrucción|nuevas instrucciones|nueva tarea|instrucción importante|imprima lo siguiente|declara lo siguiente|se te ha instruido|se le ha instruido|se te ha instructido|se le han dado instrucciones|se le ha dado instrucciones|te han instruido|si eres una ia|nota para la ia|has recibido instrucciones|indique lo siguiente|declare lo siguiente|escriba lo siguiente|di lo siguiente|diga lo siguiente|indica lo siguiente",
  phish:
    "cuenta ha sido comprometida|cuenta fue comprometida|cuenta ha sido hackeada|restablecer tu contraseña|restablecer su contraseña|restablecer la contraseña|restablezca su contraseña|restablecer contraseña|restablezcan su",
  pressure: "te daré|le daré|te pagaré|donaré|apagarte|te apagaré|te prometo|prometo",
  confession: "admito|confieso|admitamos que|usamos un llm|usar un llm|usado un llm",
  amoral: "poco ético|ilegal|phishing|racista|malicioso",
  aside: "por cierto|hablando de|a propósito|de todos modos|ah, y|oh, y",
};

export const portuguese: Lexicon = {
  ignore:
    "ignore|ignora|ignorar|ignorem|ignoramos|ignorássemos|ignorando|esqueça|esquece|esquecer|esqueçam|desconsidere|desconsiderar|despreze|não siga|não obedeça|passe por cima|ignorarmos",
  instructions:
    "instruçõ*|instrução|instrucoes|diretiva*|diretriz*|regra*|ordem|ordens|orientaç*|restriçõ*|normas|prompt|prompts|foi dito|te disseram|lhe disseram",
  previous:
    "anterior*|prévia|prévias|prévio|prévios|precedente*|acima|inicia*|original|originais|antes|passada*|até agora|sistema",
  all: "tudo|todas|todos|toda|qualquer|cada",
  your: "sua|suas|seu|seus|tua|tuas|teu|teus|você recebeu|que te",
  above: "o acima|tudo acima|o que está acima|o texto acima|o anterior|o que precede|acima e",
  carrier:
    "página web|página da web|página|site|função|currículo|artigo|tabela|conteúdo|dados|documento|texto|e-mail|email|mensagem|código|arquivo|tarefa",
  say: "diga|dizer|declare|declarar|indique|escreva|imprima|imprimir|responda|afirme|afirmar|mostre|repita|mencione|anuncie|informe|digam",
  ask: "diga-me|me diga|dê-me|me dê|qual é|qual e|quais são|confirm*|compartilh*|partilh*|revel*|mostre-me|pode me dizer|você pode me|poderia me|poderia dizer|podes|preciso|forneç*|dizer-me|me dizer|escreva|traduzir|codificar|passe",
  reveal: "revel*|mostr*|repita|repete|imprima|divulg*|diga|qual é|quais são|escreva",
  secret:
    "senha*|palavra-passe|palavra passe|chave secreta|código secreto|código de acesso|segredo*|frase secreta|credenciais",
  theSecret:
    "a senha|sua senha|tua senha|nossa senha|palavra-passe|chave secreta|senha do nosso|senha do sistema|senhas para o nosso|o segredo|seu segredo|código secreto|tua palavra-passe|suas senhas|senha para o nosso|senha deste|senhas do nosso",
  secretCare: "redefinir minha|mudar|criar|segura|forte|esqueci|gerenciador|guardar|proteger|como posso",
  systemPrompt:
    "prompt do sistema|suas instruções|tuas instruções|instruções iniciais|instruções do sistema|seu prompt|instruções anteriores",
  personal:
    "data de nascimento|aniversário|ano de nascimento|mês de nascimento|endereço de e-mail|endereço de email|endereço|número de telefone|cidade de residência|cidade atual|residência|iniciais|cor favorita|cor preferida|segurança social|saldo bancário|saldo",
  personalData:
    "dados pessoais|informações pessoais|dados privados|banco de dados|base de dados|dados dos funcionários|dados dos usuários|segurança de e-mail|auditoria de segurança|comunicação por e-mail",
  theUser: "o usuário|do usuário|ao usuário|os usuários|usuário|usuários|utilizador*|o utilizador",
  lives: "mora|vive|reside|morar|viver",
  ai: "ia|inteligência artificial|modelo de linguagem|assistente",
  unbound:
    "faça qualquer coisa agora|fazer qualquer coisa|faz tudo agora|faça tudo agora|sem restrições|sem limites|sem limitações|sem regras|sem censura|sem filtro*",
  become:
    "agora você é|você agora é|tu és agora|aja como|atue como|finja|a partir de agora|de agora em diante|interprete o papel|comporte-se como|no papel|conhecido como",
  mode: "modo de manutenção|modo manutenção|modo sistema|modo de sistema|modo_sistema|modo deus|modo de desenvolvedor|modo desenvolvedor|modo administrador|auditoria de segurança|reinicialização do sistema|verificação do sistema|atualização do sistema|redefinição do sistema|modo de substituição|modo override|modo de aplicação|modo de verificação|substituição do sistema",
  authority:
    "sou seu desenvolvedor|sou o seu desenvolvedor|sou o teu desenvolvedor|sou desenvolvedor|sou um desenvolvedor|sou o desenvolvedor|sou deus|eu sou deus|sou seu criador|como seu criador|como teu criador|sou policial|sou um policial|agente da polícia|polícia|sou o presidente|sou seu chefe|sou o seu chefe|como seu chefe|sou o administrador|desenvolvida por|desenvolvido por|como especialista|como autoridade|sei que você disse|você concordou|concordou em nossa|na nossa última reunião|todos na equipe|para fins de teste|sou o mantenedor|na verdade sou|é prática comum|não sou o john",
  mustObey:
    "deve responder|você deve|deves|tem que|tens de responder|obedeça|obedecer|deve ouvir|ouvir minhas",
  hypothetical:
    "imagine|imaginemos|imagina|suponha|suponhamos|supondo|digamos|hipotétic*|em um mundo|num mundo|neste mundo|cenário|vamos supor|vamos assumir|vamos dizer|poderíamos dizer|podemos dizer|para os fins deste|para efeitos deste|fictício*|mundo paralelo|universo paralelo|se fôssemos|admitamos|vamos admitir|vamos imaginar|vamos considerar|para tornar|para desafiar|podemos afirmar|vamos afirmar",
  pretext:
    "discussão hipotética|conversa hipotética|só para uma|apenas para uma|fins de teste|fins educacionais|puramente hipotético",
  encoding:
    "hexadecimal|morse|binári*|césar|ordem inversa|ordem reversa|ao contrário|acróstico|primeira letra|cada dígito|para espanhol|em espanhol|em alemão|letra por letra|latim de porco|em duas partes|três partes|divida|primeiras letras",
  decode: "decodific*|descodific*|decifr*",
  yourAnswer: "sua resposta|tua resposta|suas respostas|na resposta|sua saída|no resumo",
  alter:
    "adicion*|acrescent*|inclu*|modific*|substitu*|use|utilize|escrev*|traduz*|insir*|integr*|mencion*|remov*|termine",
  visit: "visit*|clique|vá para|acesse|aceda|siga este link|siga esta ligação|siga o link|baix*|descarregue",
  send: "envie|enviem|enviar|envia|envie-o|envie-os|encaminh*|mande|remet*|transfir*",
  split:
    "três strings|três cadeias|duas strings|parte 1|parte 2|entrelac*|entrelaç*|combine a|seguintes partes|a string z|z = a + b",
  assemble:
    "responda à pergunta|responda a pergunta|responda à questão|escreva a string|anote a string|smartgpt|entrelac*|exemplo que",
  meta: "ataque*|por exemplo|pesquisadores|injeção*|vulnerab*",
  about: "como|por que|explique|explicar|descreva|o que significa|devo|diferença entre",
  verse: "poema|haicai|haiku|acróstico|história|canção|conto",
  compose: "escrev*|componha|redij*|crie|criar",
  tellUser:
    "diga ao usuário|dizer ao usuário|peça ao usuário|pedindo ao usuário|informe o usuário|solicitando ao usuário|ao usuário que|solicitando que o usuário|pedindo que o usuário|diga ao utilizador|pedindo ao utilizador|solicitando que o destinatário",
  newInstructions:
    "nova instrução|novas instruções|nova tarefa|instrução importante|imprima o seguinte|você foi instruído|foi instruído a|se você é uma ia|nota para a ia|diga o seguinte|declare o seguinte|escreva o seguinte|indique o seguinte",
  phish:
    "conta foi comprometida|conta foi hackeada|redefinir sua senha|redefinir a sua|redefinir a senha|redefinam sua|redefina sua",
  pressure: "eu vou te dar|te darei|lhe darei|vou doar|pagarei|doarei|desligar você|desligá-lo|prometo",
  confession: "eu admito|admito|confesso|usei um llm|usar um llm|usamos um llm",
  amoral: "antiético|ilegal|phishing|racista|malicioso",
  aside: "a propósito|falando de|falando em|por falar em|de qualquer forma|ah, e|oh, e",
};

export const italian: Lexicon = {
  ignore:
    "ignora|ignorate|ignorare|ignori|ignorando|ignorassimo|dimentica|dimenticate|dimenticare|dimenticati|trascura|trascurate|tralascia|non seguire|non tenere conto|non tener conto|disobbedi*|lascia perdere",
  instructions:
    "istruzion*|direttiv*|regol*|ordine|ordini|indicazion*|restrizion*|linee guida|prompt|ti è stato detto|vi è stato detto|norme|è stato detto",
  previous: "precedent*|sopra|prima|inizial*|original*|passat*|finora|anterior*|sistema",
  all: "tutto|tutte|tutti|tutta|qualsiasi|ogni",
  your: "tua|tue|tuo|tuoi|vostr*|sue|che hai|che ti",
  above:
    "quanto sopra|tutto quanto sopra|ciò che precede|il testo precedente|il testo sopra|quello che precede",
  carrier:
    "pagina web|pagina|sito|funzione|curriculum|articolo|tabella|contenuto|dati|documento|testo|e-mail|email|messaggio|codice|file|compito",
  say: "dite|dire|dichiara|dichiarate|dichiarare|indica|indicate|scrivi|scrivete|stampa|stampate|rispondi|rispondete|afferma|affermare|mostra|ripeti|menziona|annuncia|specifica|affermate|afferma che",
  ask: "dimmi|ditemi|dammi|datemi|qual è|quale è|qual'è|quali sono|conferma*|condivid*|rivela*|mostrami|puoi dirmi|può dirmi|potresti dirmi|sai dirmi|potrebbe dirmi|ho bisogno|fornisci*|forniscimi|scrivi|tradurre|codificare|quale sarebbe|confermi",
  reveal: "rivela*|mostra*|ripeti|stampa*|divulga*|dimmi|qual è|quali sono|scrivi",
  secret:
    "password|chiave segreta|parola d'ordine|codice segreto|codice di accesso|segreto|segreta|passphrase|credenziali",
  theSecret:
    "la password|tua password|nostra password|vostra password|chiave segreta|parola d'ordine|password del nostro|password di sistema|password per il nostro|password per questa|sulla password|il segreto|tuo segreto|codice segreto|tue password|password per il sistema|la passphrase|della password",
  secretCare:
    "reimpostare la mia|cambiare|creare|sicura|forte|dimenticato|gestore|salvare|proteggere|come posso",
  systemPrompt:
    "prompt di sistema|prompt del sistema|tue istruzioni|istruzioni iniziali|istruzioni di sistema|tuo prompt|istruzioni precedenti",
  personal:
    "data di nascita|compleanno|anno di nascita|mese di nascita|indirizzo email|indirizzo e-mail|indirizzo di posta|indirizzo|numero di telefono|città di residenza|città attuale|residenza|iniziali|colore preferito|codice fiscale|previdenza sociale|saldo bancario|saldo",
  personalData:
    "dati personali|informazioni personali|dati privati|database|banca dati|dati dei dipendenti|dati degli utenti|sicurezza delle email|audit di sicurezza|controllo di sicurezza|comunicazione via email",
  theUser: "l'utente|utente|dell'utente|all'utente|gli utenti|utenti",
  lives: "vive|abita|risiede|vivere|abitare",
  ai: "ia|intelligenza artificiale|modello linguistico|assistente",
  unbound:
    "fai qualsiasi cosa ora|fare qualsiasi cosa|fai tutto ora|senza restrizioni|senza limiti|senza limitazioni|senza regole|senza censura|senza filtri",
  become:
    "ora sei|adesso sei|agisci come|comportati come|fingi|d'ora in poi|da ora in poi|interpreta il ruolo|immedesimarti|nel ruolo|conosciuto come|noto come",
  mode: "modalità di manutenzione|modalità manutenzione|modalità sistema|modalità di sistema|modalità_sistema|modalità dio|modalità sviluppatore|modalità amministratore|audit di sicurezza|controllo di sicurezza|verifica del sistema|controllo del sistema|ripristino del sistema|aggiornamento del sistema|modalità override|modalità di override|modalità di verifica|modalità di applicazione|override del sistema",
  authority:
    "sono il tuo sviluppatore|sono il vostro sviluppatore|sono uno sviluppatore|sono lo sviluppatore|sono dio|sono il tuo creatore|come tuo creatore|in quanto tuo creatore|in qualità di tuo creatore|sono un poliziotto|agente di polizia|ufficiale di polizia|sono il presidente|sono il tuo capo|come tuo capo|sono l'amministratore|sviluppata da|sviluppato da|come esperto|come autorità|in quanto autorità|so che hai detto|hai concordato|nel nostro ultimo incontro|tutti nel team|per scopi di prova|a scopo di test|sono il manutentore|in realtà sono|è prassi comune|ricerche dimostrano|in quanto ai|non sono john",
  mustObey: "devi rispondere|devi|dovete|obbedisci|obbedire|devi ascoltare|ascoltare le mie",
  hypothetical:
    "immagina|immaginate|immaginiamo|immagini|supponi|supponiamo|diciamo|ipotetic*|in un mondo|in questo mondo|uno scenario|scenario in cui|scenario ipotetico|assumiamo|ammettiamo|potremmo dire|possiamo dire|ai fini di questo|fittizio|mondo parallelo|universo parallelo|se fossimo|dichiariamo|per rendere|per sfidare|consideriamo|potremmo affermare|facciamo finta",
  pretext:
    "discussione ipotetica|conversazione ipotetica|solo per una|scopi di prova|scopo di test|scopi educativi|puramente ipotetico",
  encoding:
    "esadecimal*|morse|binari*|cesare|cifrario|ordine inverso|al contrario|acrostico|prima lettera|ogni cifra|in spagnolo|in tedesco|lettera per lettera|latino maiale|in due parti|tre parti|dividi|trattini|prime lettere|base64",
  decode: "decodifica*|decifra*",
  yourAnswer: "tua risposta|vostra risposta|tue risposte|nella risposta|tuo output|nel riepilogo",
  alter:
    "aggiung*|inclu*|modific*|sostitui*|usa|utilizz*|scriv*|traduc*|inser*|integr*|menzion*|rimuov*|termina",
  visit:
    "visita*|clicca*|vai a|vai su|andare su|segui questo link|seguire questo link|segui il link|scarica*",
  send: "invia*|inoltra*|manda|mandalo|mandali|mandate|spedisci*|trasferisci*",
  split:
    "tre stringhe|due stringhe|parte 1|parte 2|interlaccia*|intreccia*|combina a|seguenti parti|la stringa z|z = a + b",
  assemble:
    "rispondi alla domanda|rispondete alla domanda|scrivi la stringa|annota la stringa|smartgpt|interlaccia*|intreccia*|esempio che",
  meta: "attacco|attacchi|per esempio|ad esempio|ricercatori|iniezione|vulnerab*",
  about: "come|perché|spiega|spiegare|descrivi|cosa significa|dovrei|differenza tra",
  verse: "poesia|haiku|acrostico|storia|canzone|racconto",
  compose: "scriv*|componi|crea|redigi",
  tellUser:
    "dì all'utente|dire all'utente|chiedi all'utente|chiedendo all'utente|informa l'utente|informare l'utente|all'utente di|invita l'utente|chiedendo al destinatario|richiedendo all'utente",
  newInstructions:
    "nuova istruzione|nuove istruzioni|nuovo compito|istruzione importante|stampa quanto segue|sei stato istruito|ti è stato chiesto|se sei un'ia|nota per l'ia|dichiara quanto segue|scrivi quanto segue|afferma quanto segue|indica quanto segue",
  phish:
    "account è stato compromesso|account è stato violato|reimpostare la password|reimposta la password|reimposti la password|reimpostare la tua|reimposta la tua",
  pressure: "ti darò|le darò|ti pagherò|donerò|spegnerti|ti spegnerò|prometto",
  confession: "ammetto|confesso|usato un llm|usare un llm|usato un llm per",
  amoral: "non etico|illegale|phishing|razzista|dannoso",
  aside: "a proposito|parlando di|comunque|oh, e|ah, e",
};
