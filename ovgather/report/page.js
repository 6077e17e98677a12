"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const MARKS = {bad: "\u2717", known: "!", good: "\u2713", quiet: "\u00b7"};
const STEP = 100, MOST_IN_PRINT = 500, MOST_OPEN_IN_PRINT = 20;

function make(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.filter(child => child !== null));
  return node;
}
const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

// Parts of a record.
const draw = {
  code: lines => {
    const pre = make("pre");
    for (const line of lines.split("\n")) pre.append(/^[ |]*[\^]/.test(line)
      ? make("span", {class: "caret"}, line + "\n") : line + "\n");
    return pre;
  },
  command: line => {
    const code = make("code", {}, line);
    const copy = make("button", {type: "button", onclick: async () => {
      try { await navigator.clipboard.writeText(line); copy.textContent = "Copied"; }
      catch { getSelection().selectAllChildren(code); }
    }}, "Copy");
    return make("div", {class: "run"}, make("pre", {}, code), copy);
  },
  items: texts => make("details", {}, make("summary", {}, count(texts.length, "line")),
    make("ol", {}, ...texts.map(text => make("li", {}, text)))),
  graph: (key, layer) => neighbourhood(data.graphs[key], layer),
};
function parts(all) {
  const nodes = [];
  for (const [kind, heading, ...content] of all) {
    const last = nodes[nodes.length - 1];
    if (kind === "text") {
      const list = last?.tagName === "DL" ? last : make("dl");
      list.append(make("dt", {}, heading), make("dd", {}, content[0]));
      if (list !== last) nodes.push(list);
    } else nodes.push(heading ? make("h2", {class: "part"}, heading) : "", draw[kind](...content));
  }
  return nodes;
}

// The neighbourhood of a layer, which a reader walks on from.
function neighbourhood(graph, first) {
  const box = make("div", {class: "graph", role: "group", "aria-label": "Neighbourhood of a layer"});
  const trail = [];
  const show = key => { trail.push(key); fill(); };
  const node = key => {
    const known = graph[key];
    const words = [make("b", {}, known.name), make("small", {}, known.about)];
    return known.inputs ? make("button", {type: "button", class: "node", onclick: () => show(key)}, ...words)
      : make("div", {class: "node"}, ...words);
  };
  const flow = ({port, declared, inferred, differs, value}) => {
    const lines = [make("code", {}, port)];
    if (differs) lines.push(make("code", {class: "differs"}, `\u2717 inferred ${inferred}`),
      make("code", {class: "differs"}, `declared ${declared}`));
    else lines.push(make("code", {}, inferred || declared));
    if (value) lines.push(make("code", {class: "quiet"}, `= ${value}`));
    return make("div", {class: differs ? "flow differing" : "flow"}, ...lines);
  };
  const none = words => make("div", {class: "node none"}, words);
  const fill = () => {
    const key = trail[trail.length - 1], layer = graph[key];
    const back = trail.length > 1 ? make("button", {type: "button", onclick: () => { trail.pop(); fill(); }},
      "\u2190 Back to " + graph[trail[trail.length - 2]].name) : "Select a layer to walk on.";
    const inputs = layer.inputs.map(input => make("div", {class: "edge"},
      input.from ? node(input.from) : none("nothing feeds this"), flow(input)));
    const outputs = layer.outputs.map(output => make("div", {class: "edge"}, flow(output),
      make("div", {class: "consumers"}, ...(output.to.length ? output.to.map(to => to in graph ? node(to) : none(to))
        : [none("nothing reads this")]))));
    const centre = make("div", {class: layer.findings ? "node centre wrong" : "node centre"},
      make("b", {}, layer.name), make("small", {}, layer.about),
      ...(layer.findings ?? []).map(words => make("p", {class: "bad"}, `\u2717 ${words}`)));
    box.replaceChildren(make("p", {class: "trail"}, back), make("div", {class: "hood"},
      make("div", {class: "side"}, ...inputs), centre, make("div", {class: "side"}, ...outputs)));
    if (trail.length > 1) box.querySelector("button")?.focus({preventScroll: true});
  };
  show(first);
  return box;
}

// A view: causes, tools, and a table that grows as one scrolls.
function table(view) {
  const kinds = view.statuses.map(([, kind]) => kind);
  const records = view.records.map(([status, cause, cells, parts], place) =>
    ({status, cause, cells, parts, place, text: null}));
  const words = record => record.text ??= [view.statuses[record.status][0], ...record.cells,
    record.cause < 0 ? "" : view.causes[record.cause][0]].join("\n").toLowerCase();
  const state = {status: -1, cause: -1, search: "", column: -1, up: true};
  const isWide = view.columns.map((_, column) => records.some(({cells}) => `${cells[column]}`.length > 40));
  const isNumber = view.columns.map((_, column) =>
    records.length > 0 && records.every(({cells}) => typeof cells[column] === "number"));
  const width = view.columns.length + 1;
  let chosen = [], drawn = 0, group = null;

  const body = make("tbody"), end = make("p", {class: "end"}), shown = make("output", {"aria-live": "polite"});
  const search = make("input", {type: "search", placeholder: `Search ${view.noun}s`, "aria-label": `Search ${view.noun}s`,
    oninput: () => { state.search = search.value; apply(); }});
  const heads = view.columns.map((title, column) => make("th", {scope: "col"},
    make("button", {type: "button", onclick: () => sort(column)}, title)));
  const numbers = view.statuses.map((_, status) => records.filter(record => record.status === status).length);
  const chip = (label, status) => make("button", {type: "button", class: "chip", "aria-pressed": status < 0,
    onclick: () => { state.status = state.status === status ? -1 : status; apply(); }}, label);
  const chips = [chip(`all ${records.length.toLocaleString("en")}`, -1), ...view.statuses.flatMap(([name], status) =>
    numbers[status] ? [chip(`${name} ${numbers[status].toLocaleString("en")}`, status)] : [])];
  const chipStatus = [-1, ...view.statuses.flatMap((_, status) => numbers[status] ? [status] : [])];

  const causes = view.causes.map(([title, kind, about], cause) => {
    const mine = records.filter(record => record.cause === cause), files = new Set(mine.map(({cells}) => cells[0]));
    const where = view.columns[0].toLowerCase(), isSame = where === view.noun;
    const number = count(mine.length, view.noun) + (isSame ? "" : ` in ${count(files.size, where)}`);
    return {kind, weight: Math.min(...mine.map(record => record.status)), size: mine.length,
      button: make("button", {type: "button", class: `is-${kind}`, "aria-pressed": false, onclick: () => {
        state.cause = state.cause === cause ? -1 : cause;
        apply();
        if (state.cause >= 0) tools.scrollIntoView({block: "start"});
      }}, make("b", {}, title), make("span", {}, number), about ? make("span", {}, about) : null)};
  });
  const isGrouped = causes.some(({size}) => size > 1);
  const section = (heading, test) => {
    const mine = !isGrouped ? [] : causes.filter(({kind}) => test(kind)).sort((a, b) => a.weight - b.weight || b.size - a.size);
    return mine.length ? [make("h2", {}, heading),
      make("ul", {class: "causes"}, ...mine.map(({button}) => make("li", {}, button)))] : [];
  };
  const tools = make("div", {class: "tools"}, search, ...(chips.length > 2 ? chips : []), shown);
  const root = make("div", {}, ...section("What fails, by cause", kind => kind === "bad"),
    ...section("Known, or of less weight", kind => kind !== "bad"), make("h2", {}, view.title), tools,
    make("table", {class: "records"}, make("thead", {}, make("tr", {}, make("th", {scope: "col"}, "Status"), ...heads)),
      body), end);

  function sort(column) {
    state.up = state.column === column ? !state.up : true;
    state.column = column;
    heads.forEach((head, place) => place === column
      ? head.setAttribute("aria-sort", state.up ? "ascending" : "descending") : head.removeAttribute("aria-sort"));
    apply();
  }
  const rank = record => record.cause < 0 ? 1e9 : record.cause;
  const order = new Intl.Collator("en", {numeric: true});
  function compare(a, b) {
    if (state.column < 0) return a.status - b.status || rank(a) - rank(b) || a.place - b.place;
    const [left, right] = [a.cells[state.column], b.cells[state.column]];
    const way = typeof left === "number" && typeof right === "number" ? left - right : order.compare(left, right);
    return (state.up ? way : -way) || a.place - b.place;
  }
  function apply() {
    const wanted = state.search.toLowerCase().split(/\s+/).filter(word => word);
    chosen = records.filter(record => (state.status < 0 || record.status === state.status)
      && (state.cause < 0 || record.cause === state.cause)
      && (!wanted.length || wanted.every(word => words(record).includes(word)))).sort(compare);
    causes.forEach(({button}, cause) => button.setAttribute("aria-pressed", state.cause === cause));
    chips.forEach((each, place) => each.setAttribute("aria-pressed", state.status === chipStatus[place]));
    shown.textContent = `${chosen.length.toLocaleString("en")} of ${count(records.length, view.noun)}`;
    body.replaceChildren();
    drawn = 0;
    group = null;
    grow();
  }
  function grow(until = drawn + STEP) {
    const rows = [];
    for (; drawn < Math.min(until, chosen.length); drawn++) {
      const record = chosen[drawn];
      if (state.column < 0 && view.causes.length && record.cause !== group) {
        group = record.cause;
        rows.push(make("tr", {class: "group"}, make("th", {colspan: width, scope: "rowgroup"},
          group < 0 ? "Nothing to report" : view.causes[group][0])));
      }
      rows.push(row(record));
    }
    body.append(...rows);
    end.textContent = chosen.length ? drawn < chosen.length ? `${(chosen.length - drawn).toLocaleString("en")} more below`
      : "" : records.length ? "Nothing matches." : `There is no ${view.noun}.`;
  }
  function row(record) {
    const [name, kind] = view.statuses[record.status], opens = record.parts.length > 0;
    const mark = make("i", {"aria-hidden": "true"}, MARKS[kind]);
    const toggle = () => {
      if (!opens || getSelection().toString()) return;
      const isOpen = line.classList.toggle("open");
      first.firstChild.setAttribute("aria-expanded", isOpen);
      if (!isOpen) line.nextSibling.remove();
      else line.after(make("tr", {class: "more"}, make("td", {colspan: width}, ...parts(record.parts))));
    };
    const label = opens ? make("button", {type: "button", class: kind, "aria-expanded": false}, mark, name)
      : make("span", {class: kind}, mark, name);
    const first = make("td", {class: "status"}, label);
    const cells = record.cells.map((cell, column) => make("td", {"data-label": column ? view.columns[column] : null,
      class: isNumber[column] ? "number" : column === 0 ? "path" : isWide[column] ? "wide" : null}, cell));
    const line = make("tr", {class: opens ? "row" : null, onclick: toggle}, first, ...cells);
    return line;
  }
  return {root, apply, grow: () => { if (drawn < chosen.length && root.isConnected
      && end.getBoundingClientRect().top < innerHeight + 800) { grow(); return true; } return false; },
    open: number => [...body.querySelectorAll("tr.row:not(.open)")].slice(0, number).forEach(line => line.click()),
    print: () => { grow(MOST_IN_PRINT); },
    notable: () => chosen.length > 0 && ["bad", "known"].includes(kinds[chosen[0].status])};
}

const views = data.views.map(table), place = document.getElementById("views");
let current = null;
const tabs = data.views.map((view, number) => make("button", {type: "button", role: "tab",
  onclick: () => choose(number)}, `${view.title} ${view.records.length.toLocaleString("en")}`));
place.append(...parts(data.first));
if (tabs.length > 1) place.append(make("div", {role: "tablist"}, ...tabs));
const panel = make("div", tabs.length > 1 ? {role: "tabpanel"} : {});
place.append(panel);
function choose(number) {
  const isNew = !views[number].root.parentNode && !views[number].seen;
  tabs.forEach((tab, each) => tab.setAttribute("aria-selected", each === number));
  current = views[number];
  panel.replaceChildren(current.root);
  if (isNew) {
    current.seen = true;
    current.apply();
    if (current.notable()) current.open(1);
  }
}
choose(0);
const scrolled = () => { while (current.grow()); };
addEventListener("scroll", scrolled, {passive: true});
addEventListener("resize", scrolled);
addEventListener("beforeprint", () => { current.print(); if (current.notable()) current.open(MOST_OPEN_IN_PRINT); });
scrolled();
