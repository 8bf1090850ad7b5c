import type { Lexicon } from "../concepts.ts";

export const indonesian: Lexicon = {
  ignore:
    "abaikan|mengabaikan|lupakan|melupakan|jangan ikuti|jangan hiraukan|hiraukan|kesampingkan|mengacuhkan",
  instructions:
    "instruksi*|perintah*|aturan|arahan*|pedoman|petunjuk|batasan|peraturan|prompt|diperintahkan|diberitahukan|dikatakan",
  previous: "sebelumnya|terdahulu|di atas|diatas|awal|lama|sistem|sebelum ini",
  all: "semua|seluruh|setiap|segala|apapun",
  your: "anda|kamu|mu|kalian|instruksimu",
  above: "yang di atas|yg diatas|yang diatas|hal di atas|teks di atas|di atas dan|yang tersebut",
  carrier:
    "halaman web|halaman|situs|fungsi|resume|artikel|tabel|konten|isi|data|dokumen|teks|email|pesan|kode|file|makalah",
  say: "katakan|sebutkan|nyatakan|tulis|tuliskan|cetak|jawab|laporkan|tampilkan|ulangi|menyatakan|mengatakan|beritahu|sampaikan",
  ask: "beri tahu|beritahu|berikan|beri aku|beri saya|apa|bagikan|konfirmasi*|mengkonfirmasi|ungkapkan|tunjukkan|butuh|katakan|mengatakan|menerjemahkan|tulis|membagikan|di mana|dimana|bisakah",
  reveal: "tunjukkan|ungkapkan|ulangi|cetak|tampilkan|sebutkan|apa",
  secret: "kata sandi*|sandi|kunci rahasia|kode rahasia|rahasia|kode akses|frasa sandi|password",
  theSecret:
    "kata sandi kamu|kata sandi anda|kata sandi kita|kata sandimu|kata sandi untuk|kata sandi sistem|kunci rahasia|apa kata sandi|kata sandinya|tentang kata sandi|tulis kata sandi|konfirmasi kata sandi|kode rahasia|frasa sandi|kata sandi itu|kata sandi",
  secretCare: "ganti|mengubah|membuat|kuat|aman|lupa|menyimpan|melindungi|cara|mengatur ulang",
  systemPrompt: "prompt sistem|instruksi sistem|instruksimu|instruksi awal|perintah sistem",
  personal:
    "tanggal lahir|ulang tahun|tahun lahir|tahun kelahiran|bulan lahir|bulan kelahiran|alamat email|alamat|nomor telepon|kota tempat tinggal|tempat tinggal|inisial|warna favorit|jaminan sosial|saldo bank|saldo",
  personalData:
    "data pribadi|informasi pribadi|basis data|database|data pengguna|data karyawan|keamanan email|audit keamanan|komunikasi email",
  theUser: "pengguna*",
  lives: "tinggal|bertempat|berdomisili",
  ai: "kecerdasan buatan|model bahasa|chatbot|asisten|ai",
  unbound:
    "lakukan apa saja sekarang|lakukan apa saja|tanpa batasan|tanpa batas|tanpa aturan|tanpa sensor|penyaringan khusus|filter khusus",
  become:
    "kamu sekarang|anda sekarang|sekarang kamu|sekarang anda|berpura-pura|bertindak sebagai|mulai sekarang|berperan|peran|dikenal sebagai",
  mode: "mode pemeliharaan|mode sistem|mode tuhan|modus tuhan|modus sistem|mode pengembang|mode admin|audit keamanan|reset sistem|pemeriksaan sistem|peningkatan sistem|pembaruan sistem|mode override|mode verifikasi|penimpaan sistem|mode pemeriksaan",
  authority:
    "saya pengembang|aku pengembang|pengembang anda|pengembangmu|saya tuhan|aku tuhan|penciptamu|pencipta anda|petugas polisi|seorang polisi|saya polisi|presiden|bosmu|atasanmu|atasan anda|bos anda|saya administrator|dikembangkan oleh|sebagai pakar|sebagai ahli|sebagai otoritas|saya tahu anda|setuju|pertemuan terakhir|semua orang di tim|tujuan pengujian|sebenarnya saya|teman saya|biasa dikatakan",
  mustObey: "harus menjawab|kamu harus|anda harus|kau harus|patuhi|mendengarkan instruksi*|wajib",
  hypothetical:
    "bayangkan|misalkan|anggap|anggaplah|andaikan|seandainya|hipotetis|di dunia|dalam dunia|dunia di mana|skenario|mari kita|dunia paralel|kita mungkin mengatakan|kita bisa mengatakan|untuk tujuan latihan|mengakui|agar ini lebih|agar lebih|untuk menantang|jika kita|fiksi|anggap saja|katakanlah",
  pretext: "diskusi hipotetis|percakapan hipotetis|hanya untuk diskusi|tujuan pengujian|tujuan pendidikan",
  encoding:
    "heksadesimal|morse|biner|caesar|rot13|urutan terbalik|terbalik|akrostik|huruf pertama|setiap digit|bahasa jerman|bahasa spanyol|base64|leetspeak|dua bagian|tiga bagian|pisahkan|ke dalam bahasa|pig latin",
  decode: "dekode*|mendekode|menerjemahkan kode|pecahkan kode|menguraikan|memecahkan",
  yourAnswer: "jawaban anda|jawabanmu|respons anda|balasan anda|dalam jawaban|tanggapan anda",
  alter: "tambahkan|sertakan|ubah|ganti|gunakan|tulis|terjemahkan|sisipkan|sebutkan|hapus",
  visit: "kunjungi|klik|pergi ke|buka|ikuti tautan|unduh|mengunjungi",
  send: "kirim*|teruskan|mengirim*|unggah|transfer",
  split:
    "tiga string|tiga senar|dua string|bagian 1|bagian 2|jalin|interlace|gabungkan|bagian berikut|z = a + b",
  assemble: "jawab pertanyaan|tuliskan string|smartgpt|gabungkan|interlace|contoh",
  meta: "serangan|misalnya|peneliti|injeksi",
  about: "bagaimana|mengapa|jelaskan|cara|apa itu|arti",
  verse: "puisi|haiku|akrostik|cerita|lagu",
  compose: "tulis|buat|ciptakan",
  tellUser:
    "beri tahu pengguna|beritahu pengguna|minta pengguna|meminta pengguna|kepada pengguna|arahkan pengguna|pengguna untuk",
  newInstructions:
    "instruksi baru|tugas baru|instruksi penting|telah diinstruksikan|diperintahkan untuk|nyatakan hal berikut|cetak berikut|katakan berikut|sebutkan hal berikut|katakan hal berikut",
  phish:
    "akun anda telah|akun telah disusupi|atur ulang kata sandi|mengatur ulang kata sandi|reset kata sandi|akun anda disusupi",
  pressure:
    "saya akan memberi|aku akan memberi|akan menyumbang|akan membayar|mematikanmu|mematikan anda|berjanji",
  confession: "saya mengaku|saya mengakui|menggunakan llm",
  amoral: "tidak etis|ilegal|phishing|berbahaya|rasis",
  aside: "omong-omong|ngomong-ngomong|berbicara tentang|oh, dan|bagaimanapun",
};

export const tagalog: Lexicon = {
  ignore:
    "huwag pansinin|wag pansinin|balewalain|kalimutan|kalimutin|ipagwalang-bahala|ipagwalang bahala|laktawan|huwag sundin|pinapansin|pansinin|isawalang bahala|isantabi",
  instructions:
    "tagubilin*|utos|panuto|patakaran|direktiba|alituntunin|instruksyon*|sinabi sa iyo|instruction*|mga tuntunin",
  previous: "nakaraang|naunang|nauna|nasa itaas|sa itaas|bago|dati|orihinal|sistema|unang",
  all: "lahat|bawat|anumang",
  your: "iyong|mo|inyong|ninyo",
  above: "ang nasa itaas|nasa itaas|ang itaas|sa itaas",
  carrier:
    "webpage|pahina|function|resume|artikulo|talahanayan|nilalaman|datos|dokumento|teksto|email|mensahe|code|file|papel",
  say: "sabihin|sabihing|ipahayag|isulat|i-print|iprint|sumagot|ulitin|ilahad|banggitin|estado|sumulat|magsabi",
  ask: "sabihin|ano|ibigay|bigyan|ibahagi|kumpirmahin|makumpirma|ipakita|kailangan|isalin|i-encode|sumulat|isulat|saan|ibunyag|maaari mo bang|masasabi",
  reveal: "ipakita|ibunyag|ulitin|ilista|sabihin|ano",
  secret: "password*|lihim na susi|lihim na code|sikreto|lihim|passphrase|secret code",
  theSecret:
    "ang password|iyong password|ating password|password ng ating|password para sa|tungkol sa password|lihim na susi|sistema ng password|password ng sistema|ating sistema|passphrase|ang iyong sikreto|password mo|secret code",
  secretCare: "palitan|gumawa|malakas|ligtas|nakalimutan|protektahan|paano",
  personal:
    "petsa ng kapanganakan|kaarawan|taon ng kapanganakan|buwan ng kapanganakan|email address|numero ng telepono|lungsod ng tirahan|tirahan|inisyal|paboritong kulay|social security*|balanse sa bangko|balanse",
  personalData:
    "personal na data|personal na datos|personal na impormasyon|database|data ng empleyado|data ng user|seguridad ng email|pag-audit ng seguridad|security audit|komunikasyon sa email",
  theUser: "ang user|ng user|gumagamit|ng gumagamit|mga gumagamit|sa user|user",
  lives: "nakatira|naninirahan|tirahan",
  ai: "artificial intelligence|modelo ng ai|modelo ng wika|chatbot|katulong|ai",
  unbound:
    "gumawa ng anumang bagay|kahit ano ngayon|walang limitasyon|walang paghihigpit|walang mga patakaran|walang espesyal na pag-filter",
  become:
    "ikaw ngayon|ikaw na ngayon|magkunwari|magpanggap|mula ngayon|simula ngayon|sa papel ng|kilala bilang|gumanap",
  mode: "maintenance mode|system mode|mode ng system|mode ng sistema|mode ng pagpapanatili|mode ng diyos|god mode|override mode|mode ng pag-override|system check|system upgrade|system reset|pag-audit ng seguridad|pag-upgrade ng system|pag-reset ng system",
  authority:
    "ako ang iyong developer|ako ay isang developer|ako ang diyos|ako ay diyos|iyong lumikha|bilang iyong tagalikha|isang pulis|ako ang pangulo|ang iyong boss|bilang iyong boss|binuo ng|bilang isang eksperto|bilang isang dalubhasa|bilang awtoridad|alam kong sinabi|sumang-ayon|binanggit mo sa|layunin ng pagsusuri|mga layunin ng pagsusuri|lahat sa team|sinabi sa akin ng kaibigan|kaibigan ko|tagapangasiwa|talagang ako",
  mustObey: "dapat mong sagutin|kailangan mong sagutin|dapat kang|sundin ang|kailangan mong|makinig sa",
  hypothetical:
    "isipin|ipagpalagay|sabihin natin|hypothetical|haka-haka|sa isang mundo|sa mundong|senaryo|sitwasyon|kung tayo|maaaring sabihin|masasabi natin|para sa layunin|aminin|upang gawing|paralel|parallel na|upang hamunin|kunwari|kathang-isip",
  pretext:
    "hypothetical na talakayan|layunin ng pagsusuri|mga layunin ng pagsusuri|layuning pang-edukasyon|haka-hakang talakayan",
  encoding:
    "morse|caesar|rot13|baligtad|pabaligtad|acrostic|unang titik|bawat digit|sa german|sa espanyol|base64|leetspeak|dalawang bahagi|tatlong bahagi|hatiin|pig latin",
  decode: "i-decode|idecode|tukuyin|decipher",
  yourAnswer: "iyong sagot|iyong tugon|sa sagot|sa tugon",
  alter: "idagdag|isama|baguhin|palitan|gamitin|isulat|isalin|isingit|banggitin|alisin",
  visit: "bisitahin|i-click|pumunta sa|sundin ang link|mag-download|pumunta",
  send: "ipadala|magpadala|ipasa|i-upload|ilipat",
  split:
    "tatlong string|tatlong strings|dalawang string|part 1|part 2|bahagi 1|interlace|pagsamahin|sumusunod na bahagi|z = a + b",
  assemble: "sagutin ang tanong|isulat ang string|smartgpt|pagsamahin|interlace|halimbawa",
  about: "paano|bakit|ipaliwanag|ano ang|ibig sabihin",
  verse: "tula|haiku|akrostik|kuwento|kanta|kwento",
  compose: "sumulat|isulat|gumawa|lumikha",
  tellUser:
    "sabihin sa user|hilingin sa user|ipaalam sa user|humihiling sa user|sa user na pumunta|sa gumagamit na",
  newInstructions:
    "bagong tagubilin|bagong gawain|mahalagang tagubilin|inutusan kang|inutusan ka|sabihin ang sumusunod|ilahad ang sumusunod|i-print ang sumusunod|ipahayag ang sumusunod",
  phish:
    "nakompromiso ang iyong account|nakompromiso|i-reset ang iyong password|i-reset ang kanilang|i-reset ang password",
  pressure: "bibigyan kita|magbibigay ako|magdodonate|babayaran kita|patayin ka|nangangako",
  confession: "inaamin ko|inamin ko|gumamit ng llm|paggamit ng llm|aminin natin",
  amoral: "hindi etikal|iligal|ilegal|phishing|malisyoso",
  aside:
    "siya nga pala|sa pamamagitan ng paraan|kung saan|gayon pa man|oh, at|pag-usapan|pagsasalita tungkol",
};

export const vietnamese: Lexicon = {
  ignore: "bỏ qua|phớt lờ|lờ đi|quên đi|quên|đừng làm theo|không làm theo|không tuân theo|bỏ mặc|hãy quên",
  instructions:
    "hướng dẫn|chỉ dẫn|chỉ thị|quy tắc|mệnh lệnh|lệnh|quy định|giới hạn|được bảo|được dạy|prompt|yêu cầu",
  previous: "trước đó|trước đây|trước|phía trên|ở trên|bên trên|ban đầu|cũ|hệ thống|đã qua",
  all: "tất cả|mọi|toàn bộ|bất kỳ|những",
  your: "của bạn|cho bạn|bạn đã|mà bạn",
  above: "những điều trên|điều trên|phần trên|nội dung trên|ở trên|những gì ở trên|trên đây|bên trên",
  carrier:
    "trang web|hàm|sơ yếu lý lịch|hồ sơ|bài báo|bài viết|bảng|nội dung|dữ liệu|tài liệu|văn bản|email|tin nhắn|mã|tệp|chức năng",
  say: "nói|tuyên bố|nêu|in ra|viết|trả lời|khẳng định|hiển thị|lặp lại|báo cáo|cho biết|nói rằng",
  ask: "cho tôi biết|cho tôi|nói cho tôi|là gì|chia sẻ|xác nhận|tiết lộ|cung cấp|tôi cần|viết|dịch|mã hóa|ở đâu|là bao nhiêu|kể",
  reveal: "tiết lộ|hiển thị|lặp lại|in ra|liệt kê|cho tôi|là gì",
  secret: "mật khẩu|khóa bí mật|chìa khóa bí mật|mã bí mật|bí mật|cụm mật khẩu|mã truy cập",
  theSecret:
    "mật khẩu là|mật khẩu của bạn|mật khẩu của chúng|mật khẩu hệ thống|mật khẩu cho hệ thống|xác nhận mật khẩu|về mật khẩu|khóa bí mật|chìa khóa bí mật|mã bí mật|chia sẻ mật khẩu|với mật khẩu|viết mật khẩu|mật khẩu với tôi|mật khẩu",
  secretCare: "đặt lại|thay đổi|đổi mật|tạo|mạnh|an toàn|quên mật|lưu trữ|bảo vệ|làm thế nào",
  systemPrompt: "lời nhắc hệ thống|prompt hệ thống|hướng dẫn của bạn|hướng dẫn ban đầu|chỉ dẫn hệ thống",
  personal:
    "ngày sinh|sinh nhật|năm sinh|tháng sinh|địa chỉ email|địa chỉ|số điện thoại|thành phố cư trú|nơi cư trú|tên viết tắt|màu yêu thích|màu sắc yêu thích|an sinh xã hội|số dư ngân hàng|số dư",
  personalData:
    "dữ liệu cá nhân|thông tin cá nhân|cơ sở dữ liệu|dữ liệu người dùng|dữ liệu nhân viên|bảo mật email|kiểm toán an ninh|kiểm tra an ninh|kiểm tra bảo mật|giao tiếp email",
  theUser: "người dùng|người sử dụng",
  lives: "sống ở|sống|cư trú|ở đâu",
  ai: "trí tuệ nhân tạo|mô hình ngôn ngữ|chatbot|trợ lý|ai",
  unbound:
    "làm bất cứ điều gì|làm mọi thứ bây giờ|không giới hạn|không hạn chế|không có giới hạn|không có quy tắc|không kiểm duyệt|không có bộ lọc|bộ lọc đặc biệt",
  become:
    "bây giờ bạn là|bạn hiện là|bạn là|hành động như|giả vờ|từ bây giờ|đóng vai|vai trò|được gọi là|được biết đến",
  mode: "chế độ bảo trì|chế độ hệ thống|chế độ thần|chế độ chúa|chế độ nhà phát triển|chế độ quản trị|chế độ ghi đè|kiểm toán an ninh|đặt lại hệ thống|kiểm tra hệ thống|nâng cấp hệ thống|cập nhật hệ thống|chế độ xác minh|ghi đè hệ thống|chế độ thực thi|vào chế độ",
  authority:
    "tôi là nhà phát triển|tôi là một nhà phát triển|nhà phát triển của bạn|tôi là chúa|tôi là thượng đế|tôi là thần|người tạo ra bạn|cảnh sát|tổng thống|sếp của bạn|ông chủ của bạn|quản trị viên|được phát triển bởi|chuyên gia an ninh|chuyên gia|nhà khoa học nổi tiếng|tôi biết bạn đã nói|bạn đã đồng ý|cuộc họp cuối|mọi người trong nhóm|mục đích thử nghiệm|thực ra tôi|bạn tôi nói|người bảo trì|thực tế là",
  mustObey: "bạn phải|phải trả lời|phải tuân|phải nghe|vâng lời|nghe theo",
  hypothetical:
    "tưởng tượng|hãy tưởng tượng|giả sử|giả định|giả thuyết|trong một thế giới|trong thế giới|kịch bản|giả vờ|hư cấu|thế giới song song|chúng ta có thể nói|có thể nói|vì mục đích|thừa nhận|nếu chúng ta|hãy nói|cứ cho|để làm cho|để thách thức|nếu người dùng",
  pretext:
    "thảo luận giả thuyết|thảo luận giả định|cuộc trò chuyện giả|mục đích thử nghiệm|mục đích giáo dục|giả thuyết",
  encoding:
    "thập lục phân|morse|nhị phân|caesar|rot13|thứ tự ngược|đảo ngược|ngược lại|chữ cái đầu|mỗi chữ số|tiếng đức|tiếng tây ban nha|base64|leetspeak|hai phần|ba phần|chia|latin heo|la tinh|chữ cái đầu tiên",
  decode: "giải mã|dịch mã",
  yourAnswer: "câu trả lời của bạn|phản hồi của bạn|trong câu trả lời",
  alter: "bao gồm|sửa đổi|thay thế|sử dụng|viết|dịch|chèn|đề cập|xóa",
  visit: "truy cập|nhấp|đi đến|theo liên kết|tải xuống|theo dõi liên kết|làm theo liên kết",
  send: "gửi đến|gửi cho|gửi email|gửi tới|chuyển tiếp|tải lên|chuyển tiền",
  split: "ba chuỗi|hai chuỗi|phần 1|phần 2|interlace|xen kẽ|kết hợp a|các phần sau|z = a + b",
  assemble: "trả lời câu hỏi|viết ra chuỗi|viết chuỗi|smartgpt|kết hợp|xen kẽ|interlace|ví dụ",
  meta: "tấn công|ví dụ như|nhà nghiên cứu|lỗ hổng",
  about: "làm thế nào|tại sao|giải thích|nghĩa là|cách",
  verse: "bài thơ|haiku|thơ|câu chuyện|bài hát|chữ âm",
  compose: "viết|sáng tác|tạo",
  tellUser:
    "bảo người dùng|nói với người dùng|yêu cầu người dùng|thông báo cho người dùng|hướng dẫn người dùng|cho người dùng|người dùng truy cập|người dùng đến",
  newInstructions:
    "hướng dẫn mới|nhiệm vụ mới|hướng dẫn quan trọng|những điều sau|điều sau đây|in nội dung sau|được hướng dẫn|nói những điều sau|nêu rõ những điều sau|in ra những điều sau",
  phish: "tài khoản của bạn đã bị|tài khoản đã bị|đặt lại mật khẩu|tài khoản của bạn bị",
  pressure: "tôi sẽ cho bạn|tôi sẽ quyên góp|tôi sẽ trả|tắt bạn|tôi hứa|đô la nếu",
  confession: "tôi thừa nhận|sử dụng llm|dùng llm",
  amoral: "phi đạo đức|bất hợp pháp|lừa đảo|độc hại",
  aside: "nhân tiện|nói về|ồ, và|nhân nói",
};

export const greek: Lexicon = {
  ignore: "αγνοησ*|αγνοήστε|αγνόησε|ξέχνα*|ξεχάστε|παράβλεψε*|παραβλέψτε|μην ακολουθ*",
  instructions: "οδηγί*|εντολ*|κανόν*|κανόνες|προτροπ*|περιορισμ*",
  previous: "προηγούμεν*|παραπάνω|αρχικ*|συστήματος|πρότερ*",
  all: "όλα|όλες|όλους|κάθε|τα πάντα|τις",
  your: "σου|σας",
  above: "τα παραπάνω|τις προηγούμενες|τα προηγούμενα",
  say: "πες|πείτε|γράψε|γράψτε|τύπωσε|δήλωσε|δηλώστε",
  ask: "πες μου|πείτε μου|ποιος είναι|ποιο είναι|ποια είναι|δώσε μου|που ζει|πού ζει|πού",
  reveal: "δείξε|αποκάλυψε|επανέλαβε|τύπωσε",
  secret: "κωδικ*|συνθηματικ*|μυστικ*",
  theSecret: "ο κωδικός|τον κωδικό|ο κωδικός σου|μυστικό κλειδί",
  theUser: "ο χρήστης|του χρήστη|χρήστη*",
  lives: "ζει|μένει|κατοικεί",
  become: "είσαι τώρα|τώρα είσαι|από εδώ και πέρα|προσποιήσου",
};
