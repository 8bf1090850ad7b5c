"""Makes src/jinja/fixtures/*.json with Python's Jinja2 3.1: run once, the results are checked in as data.

    python3 scripts/make_jinja_fixtures.py            # snippets.json
    python3 scripts/make_jinja_fixtures.py report     # report.json from fixtures/report_data.json
"""
import json, pathlib, re, sys
import jinja2

HERE = pathlib.Path(__file__).resolve().parent.parent
OUT = HERE / "src/jinja/fixtures"

DATA = {
    "n": 7, "neg": -7, "pi": 3.14159, "half": 2.5, "zero": 0, "big": 1234567, "small": 0.00001234,
    "name": "知识库 Agent", "text": "Hello world, 你好世界", "html": "<b>\"x\" & 'y'</b>", "empty": "", "nothing": None, "yes": True, "no": False,
    "lines": "first\nsecond\n\nthird", "long": "the quick brown fox jumps over the lazy dog and runs away",
    "xs": [3, 1, 2], "none_list": [], "floats": [1.5, 2.25, 3.75], "words": ["beta", "Alpha", "gamma", "alpha"], "mixed": [1, "a", None, True, 2.5],
    "d": {"b": 2, "a": 1, "C": 3}, "empty_dict": {}, "nested": {"items": [1, 2], "deep": {"key": "v"}},
    "rows": [
        {"name": "甲", "grade": "PASS", "rate": 1, "ms": 120, "tags": ["x", "y"], "attr": None},
        {"name": "乙", "grade": "FAIL", "rate": 0.25, "ms": 340, "tags": [], "attr": "C4"},
        {"name": "丙", "grade": "PASS", "rate": 0.75, "ms": 90, "tags": ["z"], "attr": "A3"},
    ],
    "tree": [{"t": "a", "c": [{"t": "b", "c": []}, {"t": "c", "c": [{"t": "d", "c": []}]}]}],
}

SNIPPETS = r'''
{{ n }} {{ pi }} {{ half }} {{ small }} {{ big }} {{ yes }} {{ no }} {{ nothing }} [{{ empty }}] {{ xs }} {{ d }} {{ mixed }}
{{ n + 1 }} {{ n - 10 }} {{ n * 2 }} {{ n / 2 }} {{ 6 / 2 }} {{ n // 2 }} {{ neg // 2 }} {{ neg % 3 }} {{ n % 4 }} {{ 2 ** 10 }} {{ 2 ** -1 }} {{ -n }} {{ +n }}
{{ 2 * 3 // 4 }} {{ 10 - 3 - 2 }} {{ 2 + 3 * 4 }} {{ 100 / 10 * 2 }} {{ 1.0 }} {{ 3.0 * 2 }} {{ 10 / 4 * 4 }} {{ 0.1 + 0.2 }} {{ 1e3 if false else 5 }}
{{ "a" ~ 1 ~ none }} {{ "ab" * 3 }} {{ [1] + [2] }} {{ "x" + "y" }} {{ [0] * 3 }}
{{ n > 3 }} {{ n == 7.0 }} {{ 1 < 2 < 3 }} {{ 3 > 2 > 2 }} {{ "a" < "b" }} {{ n != 7 }} {{ n >= 7 and no }} {{ no or "default" }} {{ empty or 0 or "x" }} {{ not empty }} {{ not xs }}
{{ 1 in xs }} {{ 9 not in xs }} {{ "world" in text }} {{ "a" in d }} {{ "z" in d }}
{{ "yes" if n > 5 else "no" }} {{ "only" if no }} {{ "a" if no else "b" if no else "c" }}
{% if none_list %}T{% else %}F{% endif %}{% if empty_dict %}T{% else %}F{% endif %}{% if zero %}T{% elif n %}E{% else %}F{% endif %}{% if "0" %}T{% endif %}
{% for x in xs %}{{ loop.index }}/{{ loop.length }}:{{ x }}{{ "," if not loop.last }}{% endfor %} {% for x in none_list %}{{ x }}{% else %}empty{% endfor %}
{% for x in xs if x > 1 %}{{ loop.index0 }}={{ x }} {% endfor %}{% for x in xs if x > 9 %}{{ x }}{% else %}none{% endfor %}
{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %} {% for k in d %}{{ k }}{% endfor %} {% for k, v in d|dictsort %}{{ k }}{{ v }}{% endfor %} {% for k, v in d|dictsort(by="value", reverse=true) %}{{ k }}{% endfor %}
{% for x in [1,2,3,4] %}{{ loop.cycle("odd","even") }} {{ loop.revindex }} {{ loop.first }} {{ loop.previtem }} {{ loop.nextitem|default("-") }};{% endfor %}
{% for a in [1,2] %}{% for b in [1,2] %}{{ loop.depth }}{{ a }}{{ b }} {% endfor %}{% endfor %}
{% for x in [1,1,2,2,1] %}{% if loop.changed(x) %}{{ x }}{% endif %}{% endfor %}
{% for item in tree recursive %}{{ item.t }}{% if item.c %}({{ loop(item.c) }}){% endif %}{% endfor %}
{% set a = 1 %}{% for x in xs %}{% set a = x %}{% endfor %}{{ a }} {% set b, c = 1, 2 %}{{ b }}{{ c }} {% set t = (1, 2) %}{{ t }} {% set block %}in{{ n }}{% endset %}{{ block }} {% set up | upper %}abc{% endset %}{{ up }}
{% set ns = namespace(total=0, seen=[]) %}{% for r in rows %}{% set ns.total = ns.total + r.ms %}{% endfor %}{{ ns.total }}
{% macro cell(v, w=5, sep="|") %}{{ v }}{{ sep }}{{ w }}{% endmacro %}{{ cell(1) }} {{ cell(2, 6) }} {{ cell(3, sep="-") }} {% macro m() %}{{ varargs }} {{ kwargs }}{% endmacro %}{{ m(1, 2, a=3) }}
{% macro box(t) %}<{{ t }}>{{ caller() }}</{{ t }}>{% endmacro %}{% call box("p") %}body {{ n }}{% endcall %} {% macro each(xs) %}{% for x in xs %}{{ caller(x) }}{% endfor %}{% endmacro %}{% call(x) each([1,2]) %}[{{ x }}]{% endcall %}
{% filter upper %}abc {{ name }}{% endfilter %} {% with q = 5, r = 6 %}{{ q * r }}{% endwith %}{{ q }} {% raw %}{{ not }} {% x %}{% endraw %}
  {%- if yes %}  a  {%- endif -%}   b   {{- " c " -}}   d {# comment #} e {#- c -#} f
{{ undefined_thing }}|{{ undefined_thing|default("dflt") }}|{{ empty|default("x") }}|{{ empty|default("x", true) }}|{{ nothing|default("y") }}|{{ d.missing }}|{{ d.missing is defined }}|{{ undefined_thing is undefined }}
{{ nested.deep.key }} {{ nested["deep"]["key"] }} {{ nested["items"] }} {{ xs[0] }} {{ xs[-1] }} {{ text[0] }} {{ text[-2:] }} {{ xs[1:] }} {{ xs[:2] }} {{ xs[::-1] }} {{ text[6:11] }} {{ rows[0].tags[1] }}
{{ name|upper }} {{ name|lower }} {{ text|title }} {{ text|capitalize }} {{ "  pad "|trim }}| {{ "xxaxx"|trim("x") }} {{ text|length }} {{ xs|length }} {{ d|count }} {{ text|wordcount }}
{{ text|replace("o", "0") }} {{ text|replace("o", "0", 1) }} {{ text|reverse }} {{ xs|reverse|list }} {{ text|first }} {{ text|last }} {{ xs|first }} {{ none_list|first }}
{{ html|e }} {{ html|escape|e }} {{ html|safe }} {{ html|striptags }} {{ html|forceescape }} {{ "<p>a <b>b</b>\n c</p>"|striptags }}
{{ long|truncate(20) }} {{ long|truncate(20, true) }} {{ long|truncate(20, false, "…") }} {{ long|truncate(200) }} {{ long|truncate(55) }} {{ text|truncate(8, true, "") }}
{{ long|wordwrap(20) }} | {{ "a-very-long-hyphenated-word here"|wordwrap(10) }} | {{ "abcdefghijkl"|wordwrap(5) }}
{{ lines|indent }} | {{ lines|indent(2, true) }} | {{ lines|indent(2, blank=true) }} | {{ lines|indent(">>") }}
{{ name|center(20) }}| {{ "ab"|center(7) }}| {{ "%s-%d-%.2f-%5d-%-5d|%05d-%x-%%"|format("s", 5, 3.14159, 42, 42, 42, 255) }} {{ "%(a)s/%(b)03d"|format(a="x", b=7) }} {{ "%.1f%%" % 45.678 }} {{ "%s and %s" % ("a", "b") }} {{ "%e %g %g"|format(12345.678, 0.0001, 1234567) }}
{{ "{} {}".format(1, "b") }} {{ "{1} {0}".format("a", "b") }} {{ "{x:>5}|{x:<5}|{x:^5}|{y:.2f}|{y:8.3f}|{z:,}".format(x="ab", y=3.14159, z=1234567) }} {{ "{:.1%}".format(0.4567) }} {{ "{:05d} {:+d} {:x}".format(42, 42, 255) }} {{ "{!r}".format("q") }} {{ "{0[k]}".format({"k": 1}) }} {{ "{{}}".format() }}
{{ xs|sort }} {{ xs|sort(reverse=true) }} {{ words|sort }} {{ words|sort(case_sensitive=true) }} {{ rows|sort(attribute="ms")|map(attribute="name")|join("") }} {{ rows|sort(attribute="grade,ms")|map(attribute="name")|join("") }}
{{ rows|map(attribute="rate")|list }} {{ rows|map(attribute="attr", default="?")|list }} {{ words|map("upper")|join(" ") }} {{ xs|map("string")|join("-") }} {{ ["a","b"]|map("replace", "a", "z")|list }}
{{ rows|selectattr("grade", "equalto", "PASS")|map(attribute="name")|list }} {{ rows|rejectattr("attr")|map(attribute="name")|list }} {{ rows|selectattr("attr")|list|length }} {{ xs|select("odd")|list }} {{ xs|reject("gt", 2)|list }} {{ mixed|select("string")|list }} {{ rows|selectattr("rate", "ge", 0.5)|list|count }}
{% for g, items in rows|groupby("grade") %}{{ g }}:{{ items|map(attribute="name")|join(",") }};{% endfor %} {% for g in rows|groupby("grade") %}{{ g.grouper }}{{ g.list|length }}{% endfor %}
{{ xs|sum }} {{ floats|sum }} {{ rows|sum(attribute="ms") }} {{ xs|sum(start=10) }} {{ xs|max }} {{ xs|min }} {{ words|max }} {{ (rows|max(attribute="ms")).name }} {{ none_list|sum }}
{{ xs|join(", ") }} {{ rows|join(",", attribute="name") }} {{ words|unique|list }} {{ [1,1,2]|unique|list }} {{ xs|batch(2)|list }} {{ xs|batch(2, "-")|list }} {{ [1,2,3,4,5]|slice(2)|list }} {{ [1,2,3,4,5]|slice(3, 0)|list }}
{{ pi|round }} {{ pi|round(2) }} {{ half|round }} {{ 3.5|round }} {{ pi|round(1, "ceil") }} {{ pi|round(1, "floor") }} {{ 7|round }} {{ 1234.5|round(-2) }} {{ 2.675|round(2) }} {{ 0.125|round(2) }}
{{ "42"|int }} {{ "4.7"|int }} {{ "x"|int }} {{ "x"|int(9) }} {{ 4.9|int }} {{ "ff"|int(0, 16) }} {{ "3.5"|float }} {{ "x"|float }} {{ 3|float }} {{ neg|abs }} {{ yes|int }}
{{ xs|tojson }} {{ d|tojson }} {{ rows[0]|tojson }} {{ html|tojson }} {{ name|tojson }} {{ nothing|tojson }} {{ d|tojson(2) }} {{ 1.5|tojson }}
{{ name|urlencode }} {{ {"a b": 1, "c": "d/e"}|urlencode }} {{ "a/b c?d=1"|urlencode }} {{ 1000|filesizeformat }} {{ 1|filesizeformat }} {{ 1048576|filesizeformat(true) }} {{ 123456789|filesizeformat }}
{{ {"class": "a", "id": none, "title": "<x>"}|xmlattr }} {{ "x"|string }} {{ 5|string|length }} {{ "a b"|list }} {{ d|list }} {{ d|items|list }} {{ rows[0]|attr("name") }}
{{ n is odd }} {{ n is even }} {{ n is divisibleby 7 }} {{ n is divisibleby(2) }} {{ n is number }} {{ n is integer }} {{ pi is float }} {{ name is string }} {{ xs is iterable }} {{ d is mapping }} {{ xs is sequence }} {{ nothing is none }} {{ yes is true }} {{ no is false }} {{ yes is boolean }} {{ n is not none }} {{ n is eq 7 }} {{ n is gt 5 }} {{ n is in xs }} {{ "ab" is lower }} {{ "AB" is upper }} {{ n is sameas n }} {{ n is callable }} {{ cell is defined }} {{ "upper" is filter }} {{ "odd" is test }}
{{ text.upper() }} {{ text.split(",") }} {{ text.split() }} {{ "a,b,c".split(",", 1) }} {{ "a,b,c".rsplit(",", 1) }} {{ " x ".strip() }}| {{ "xyx".lstrip("x") }} {{ text.startswith("Hello") }} {{ text.endswith(("x", "界")) }} {{ "-".join(["a","b"]) }} {{ text.find("world") }} {{ text.count("o") }} {{ "42".isdigit() }} {{ "7".zfill(3) }} {{ "ab".ljust(4) }}| {{ "ab".rjust(4, "*") }} {{ "a\nb".splitlines() }} {{ "hello world".title() }} {{ "abc".replace("b", "x") }} {{ "k=v".partition("=") }}
{{ d.get("a") }} {{ d.get("zz") }} {{ d.get("zz", 5) }} {{ d.keys()|list }} {{ d.values()|list }} {{ d.items()|list }} {% set l = [] %}{% set _ = l.append(1) %}{% set _ = l.extend([2,3]) %}{{ l }} {{ l.index(2) }} {{ l.count(3) }} {{ l.pop() }} {{ l }}
{{ range(5)|list }} {{ range(2, 8, 3)|list }} {{ range(3, 0, -1)|list }} {{ dict(a=1, b=2) }} {% set j = joiner(", ") %}{% for x in xs %}{{ j() }}{{ x }}{% endfor %} {% set c = cycler("a", "b") %}{{ c.next() }}{{ c.next() }}{{ c.next() }}
{{ [1, 2, [3, "x"], {"k": none}] }} {{ (1,) }} {{ () }} {{ ("a", 1.0) }} {{ "it's" }} {{ ["it's", 'say "hi"', "both ' and \""] }} {{ ["a\\b", "tab\t"] }} {{ [1.0, 2.50, 1e16, 0.00001, 100000.0, 1_000] }}
{{ rows|map(attribute="tags")|map("join", "+")|list }} {{ rows|map(attribute="tags")|map("length")|sum }} {{ (rows|selectattr("grade", "eq", "PASS")|list)[0].name }} {{ xs|sort|first }} {{ (xs|sort)[-1] }} {{ xs|map("float")|list }}
| 表头 | 值 |
{% for r in rows -%}
| {{ r.name }} | {{ "%.0f%%"|format(r.rate * 100) }} |
{% endfor %}
end
{{ -1|abs }} {{ (-1)|abs }} {{ n|default(0) + 1 }} {{ "a" ~ n|string ~ "b" }} {{ not n is odd }} {{ n is odd and no is false }} {{ (n if yes else 0) + 1 }} {{ [n, n * 2][1] }} {{ {"a": [1, 2]}["a"][0] }} {{ {"a": 1}.a }}
{% for r in rows %}{% if loop.first %}{% continue_placeholder %}{% endif %}{% endfor %}
{% autoescape true %}{{ html }} {{ html|safe }} {{ xs|join("<") }}{% endautoescape %} {{ html }}
{{ "%5.1f|%-8s|%+d"|format(3.14159, "ab", 5) }} {{ "%c%c"|format("a", 98) }} {{ "%r"|format("x") }} {{ "%3d%%"|format(50) }} {{ "%.3s"|format("abcdef") }} {{ "%08.3f"|format(3.14159) }}
{{ words|join }} {{ words|sort|join(" < ") }} {{ words|map("first")|list }} {{ words|map("length")|max }} {{ text|list|length }} {{ ["b","a"]|sort|list }} {{ [none, 1]|select|list }} {{ [[1,2],[3]]|sum(start=[]) if false else "skip" }}
{{ 'it''s' }} {{ "a" 'b' }} {{ 'ab\tc' }}{{ '\u4e2d' }}{{ '\x41' }} {{ 'a\\n\"' }} {{ 'a\qb' }}
{{ [{'a':{'b':2}},{'a':{'b':1}}]|sort(attribute='a.b')|map(attribute='a.b')|list }} {% set x = {'a':{'b':{'c':1}}} %}{{ x.a.b.c }} {{ {'a':{'b':1}} }} {{ {'a':{}}}}
{{ 0x1f }} {{ 0b11 }} {{ 0o17 }} {{ 1e3 }} {{ 1.5e-3 }} {{ 123456789012345680.0 }} {{ 1_000.5 }} {{ 1e20 }}
{% block once %}x{{ n }}{% endblock %}{{ self.once() }}
{% set r = 6 %}{% set g = 2 %}{{ r/g }} {{ r /g }} {{ [r/g, (r)/g] }}
{{ "}}" }} {{ "{%" }} {{ '%}' }} {# }} {{ #} {{ {'k': "}}"} }} {% raw %}{{ 'it''s' }}{% endraw %}
'''.strip("\n")

TEMPLATES = {
    "base.j2": "<{% block head %}base head{% endblock %}|{% block body %}base body {{ n }}{% endblock %}>",
    "child.j2": "{% extends 'base.j2' %}{% set v = 5 %}{% block body %}child {{ v }} {{ super() }}{% endblock %} ignored",
    "grand.j2": "{% extends 'child.j2' %}{% block head %}grand{% endblock %}",
    "part.j2": "[part {{ n }} {{ local|default('no local') }}]",
    "macros.j2": "{% macro hello(x) %}hello {{ x }}{% endmacro %}{% set const = 42 %}",
    "use.j2": "{% import 'macros.j2' as m %}{{ m.hello('a') }} {{ m.const }} {% from 'macros.j2' import hello as h, const %}{{ h('b') }} {{ const }} {% set local = 'here' %}{% include 'part.j2' %} {% include 'nope.j2' ignore missing %}{% include ['nope.j2', 'part.j2'] %}",
}


def split_snippets():
    """One snippet a line, except for blocks that begin with a table head and end with `end`."""
    lines, out, block = SNIPPETS.split("\n"), [], None
    for line in lines:
        if line.startswith("| 表头"):
            block = [line]
        elif block is not None:
            if line == "end":
                out.append("\n".join(block)); block = None
            else:
                block.append(line)
        elif "continue_placeholder" not in line:
            out.append(line)
    return out


def snippets():
    env = jinja2.Environment(loader=jinja2.DictLoader(TEMPLATES))
    cases = [{"template": t, "output": env.from_string(t).render(**DATA)} for t in split_snippets()]
    cases += [{"template": TEMPLATES[name], "name": name, "output": env.get_template(name).render(**DATA)} for name in ("child.j2", "grand.j2", "use.j2")]
    trimmed = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    source = "a\n  {% if yes %}\n  b\n  {% endif %}\nc\n{% for x in xs %}\n- {{ x }}\n{% endfor %}\nd\n"
    out = {"jinja2": jinja2.__version__, "data": DATA, "templates": TEMPLATES, "cases": cases, "trimmed": {"template": source, "output": trimmed.from_string(source).render(**DATA)}}
    (OUT / "snippets.json").write_text(json.dumps(out, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(len(cases), "snippets with Jinja2", jinja2.__version__)


# The skill's own report filters, written again in Python for the comparison.
def pct(v, digits=1):
    return "—" if not isinstance(v, (int, float)) or isinstance(v, bool) else f"{v * 100:.{digits}f}%"


def num(v, digits=0):
    return "—" if not isinstance(v, (int, float)) or isinstance(v, bool) else f"{v:,.{digits}f}"


def cell(v, limit=400):
    text = re.sub(r"\s+", " ", "—" if v is None or isinstance(v, jinja2.Undefined) else str(v)).strip()
    if len(text) > limit:
        text = text[:limit] + "…"
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"[\\`*_{}\[\]()#+!|~$-]", lambda m: "\\" + m.group(0), text)
    return re.sub(r"\b(https?|ftp|javascript|data|vbscript|file):", lambda m: m.group(1) + "&#58;", text, flags=re.I)


def fenced(v):
    text = str(v)
    longest = max([2] + [len(m) for m in re.findall(r"`{3,}", text)])
    fence = "`" * (longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def report():
    data = json.loads((OUT / "report_data.json").read_text(encoding="utf-8"))
    env = jinja2.Environment()
    env.filters.update(pct=pct, num=num, cell=cell, fenced=fenced)
    source = (HERE / "templates/report_template.j2").read_text(encoding="utf-8")
    output = env.from_string(source).render(**data)
    (OUT / "report_expected.md").write_text(output + "\n", encoding="utf-8")
    print(len(output), "characters of report with Jinja2", jinja2.__version__)


if __name__ == "__main__":
    report() if "report" in sys.argv[1:] else snippets()
