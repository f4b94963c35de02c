// The page of a picture: the graph, what is known of the node that is looked at, and of a state space that is too large
// how it grows. All that is shown comes from the server; here it is only laid out.

import { grouped } from '../explorer/numbers';
import type { Named } from '../panel/protocol';
import type { Picture, Place, ToExtension, ToPage, What } from '../picture/protocol';
import { draw, standalone } from './drawing';
import { type Laid, lay, MOST_DETAILED } from './layout';
import { nameOf, rowsOf } from './levels';
import { looks } from './same';

/** What is looked at, kept while the page is hidden: the editor takes it down then. */
interface Seen {
    /** How the picture looks. */
    readonly looks: string;
    readonly at: number;
    readonly left: number;
    readonly top: number;
    readonly scale: number;
    readonly isFitted: boolean;
}

/** A picture that takes more to tell is begun with anew. */
const MOST_KEPT = 1 << 20;

declare function acquireVsCodeApi(): { postMessage(message: ToExtension): void; getState(): Seen | undefined; setState(state: Seen): void };

const editor = acquireVsCodeApi();

function element<E extends HTMLElement = HTMLElement>(id: string): E {
    const found = document.getElementById(id);
    if (found === null) {
        throw new Error(`the page has no ${id}`);
    }
    return found as E;
}

const canvas = element('canvas');
const choice = element<HTMLSelectElement>('what');
const details = element('details');
const ALL = '';

let picture: Picture | undefined;
let look = '';
let laid: Laid | undefined;
let drawing: SVGElement | undefined;
let selected: number | undefined;
let scale = 1;
/** Whether it is as large as there is room for, until a person chooses a size. */
let isFitted = true;

// --- What is shown ---

function show(what: What, found: Picture): void {
    const seen = picture === undefined ? editor.getState() : inSight();
    picture = found;
    look = looks(found);
    document.body.classList.add('has-picture');
    document.body.classList.toggle('has-levels', found.kind === 'levels');
    const run = found.property === null ? '' : `, with the run of ${found.property}`;
    element('title').textContent = `${found.title}${run}`;
    element('sentence').textContent = `${found.sentence}.`;
    say(found.whyNoRun ?? '');
    offer(what, found);
    // A text that was saved may be drawn as before: one goes on where one was.
    const isAlike = seen !== undefined && seen.looks === look;
    element('growth').hidden = found.kind !== 'levels';
    canvas.hidden = found.kind === 'levels';
    details.hidden = true;
    selected = undefined;
    if (found.kind === 'levels') {
        showLevels(found);
        return;
    }
    laid = lay(found);
    drawing = draw(found, laid);
    canvas.replaceChildren(drawing);
    if (isAlike) {
        if (seen.isFitted) {
            fit();
        } else {
            choose(seen.scale);
        }
        select(seen.at, false);
        canvas.scrollTo(seen.left, seen.top);
        return;
    }
    fit();
    const ends = found.nodes.findIndex(node => node.marks.includes('violation'));
    select(ends < 0 ? 0 : ends, false);
}

function inSight(): Seen {
    return { looks: look, at: selected ?? 0, left: canvas.scrollLeft, top: canvas.scrollTop, scale, isFitted };
}

function keep(): void {
    if (picture !== undefined && look.length <= MOST_KEPT) {
        editor.setState(inSight());
    }
}

function showFile({ name, path }: Named): void {
    element('file').textContent = name;
    element('file').title = path;
}

function say(text: string): void {
    const note = element('note');
    note.textContent = text;
    note.hidden = text === '';
}

function offer(what: What, found: Picture): void {
    const all = [ALL, ...found.processes];
    choice.replaceChildren(
        ...all.map(name => {
            const option = document.createElement('option');
            option.value = name;
            option.textContent = name === ALL ? 'the whole model' : name;
            return option;
        }),
    );
    if (found.processesLeftOut > 0) {
        const more = document.createElement('option');
        more.disabled = true;
        more.textContent = `… and ${grouped(found.processesLeftOut)} more`;
        choice.append(more);
    }
    choice.value = found.kind === 'process' ? found.title : (what.process ?? ALL);
}

// --- Size ---

function resize(to: number): void {
    if (drawing === undefined || laid === undefined) {
        return;
    }
    scale = Math.max(0.05, Math.min(3, to));
    drawing.setAttribute('width', String(laid.width * scale));
    drawing.setAttribute('height', String(laid.height * scale));
    keep();
}

function fit(): void {
    isFitted = true;
    if (laid !== undefined) {
        // Smaller than this nobody can read it: it is scrolled then.
        const least = laid.boxes.length > MOST_DETAILED ? 0.25 : 0.6;
        resize(Math.max(least, Math.min(1.2, (canvas.clientWidth - 8) / laid.width, (canvas.clientHeight - 8) / laid.height)));
    }
}

/** A size that a person has chosen. */
function choose(to: number): void {
    isFitted = false;
    resize(to);
}

// What is told of a node beside or below the picture takes room from it, and so does another panel.
new ResizeObserver(() => isFitted && fit()).observe(canvas);

// --- The node that is looked at ---

function select(at: number, reveals: boolean): void {
    const node = picture?.nodes[at];
    if (picture === undefined || node === undefined) {
        return;
    }
    selected = at;
    drawing?.querySelectorAll('.selected').forEach(one => one.classList.remove('selected'));
    const group = drawing?.querySelector(`#node-${at}`);
    group?.classList.add('selected');
    group?.scrollIntoView({ block: 'nearest', inline: 'center' });
    canvas.setAttribute('aria-activedescendant', `node-${at}`);
    keep();
    details.hidden = false;
    const marks = node.marks.map(mark => words[mark]);
    const run = node.run === undefined ? [] : [`after step ${node.run.join(', ')} of the run`];
    const name = picture.kind === 'states' && !node.marks.includes('failure') ? `State ${node.label}` : node.label;
    element('details-title').textContent = [name, ...marks, ...run].join(' · ');
    element('details-values').replaceChildren(
        ...(node.values ?? []).flatMap((value, number) => {
            const [term, definition] = [document.createElement('dt'), document.createElement('dd')];
            term.textContent = picture?.variables[number] ?? '';
            definition.textContent = value;
            return [term, definition];
        }),
    );
    const edges = picture.edges.map((edge, number) => ({ edge, number })).filter(({ edge }) => edge.from === at);
    element('details-steps-title').textContent = edges.length === 0 ? 'No step leads on' : 'Steps from here';
    element('details-steps').replaceChildren(
        ...edges.map(({ edge, number }) => {
            const [item, button] = [document.createElement('li'), document.createElement('button')];
            button.textContent = `${edge.labels.join(', ')} → ${picture?.nodes[edge.to]?.label ?? ''}`;
            button.className = edge.run === undefined ? 'step' : 'step on-run';
            button.addEventListener('click', () => {
                reveal(picture?.edges[number]?.place);
                select(edge.to, false);
            });
            item.append(button);
            return item;
        }),
    );
    if (reveals) {
        reveal(node.place);
    }
}

const words = {
    initial: 'the start',
    final: 'it is right to stay here',
    terminal: 'no step leads on',
    failure: 'a step fails',
    violation: 'the run ends here',
} as const;

function reveal(place: Place | null | undefined): void {
    if (place !== null && place !== undefined) {
        editor.postMessage({ type: 'reveal', place });
    }
}

const directions: Record<string, readonly [number, number]> = {
    ArrowDown: [0, 1],
    ArrowUp: [0, -1],
    ArrowRight: [1, 0],
    ArrowLeft: [-1, 0],
};

/** The next node in a direction: along an edge down or up, or the nearest beside. */
function next(key: string): number | undefined {
    const boxes = laid?.boxes;
    const from = selected === undefined ? undefined : boxes?.[selected];
    if (picture === undefined || boxes === undefined || from === undefined) {
        return undefined;
    }
    const [dx, dy] = directions[key] ?? [0, 0];
    const linked = new Set(picture.edges.flatMap(edge => (edge.from === selected ? [edge.to] : edge.to === selected ? [edge.from] : [])));
    let best: { at: number; cost: number } | undefined;
    boxes.forEach((box, at) => {
        const [x, y] = [box.x - from.x, box.y - from.y];
        const along = x * dx + y * dy;
        const aside = Math.abs(x * dy) + Math.abs(y * dx);
        if (at === selected || along <= 0 || (dy === 0 && aside > along * 2)) {
            return;
        }
        // Along a step rather than to what only stands there.
        const cost = along + 2 * aside + (dy !== 0 && !linked.has(at) ? 10_000 : 0);
        if (best === undefined || cost < best.cost) {
            best = { at, cost };
        }
    });
    return best?.at;
}

// --- How it grows ---

function showLevels(found: Picture): void {
    const rows = rowsOf(found);
    const most = Math.max(1, ...rows.map(row => row.states));
    showSearches(found);
    element('levels')
        .querySelector('tbody')
        ?.replaceChildren(
            ...rows.map(({ steps, states, count: told, searched, hasViolation }) => {
                const row = document.createElement('tr');
                row.classList.toggle('violation', hasViolation);
                const name = document.createElement('th');
                name.scope = 'row';
                name.textContent = steps;
                const count = document.createElement('td');
                count.textContent = told;
                const bar = document.createElement('td');
                const meter = document.createElement('progress');
                meter.max = most;
                meter.value = states;
                meter.setAttribute('aria-hidden', 'true');
                bar.append(meter, hasViolation ? ` ${words.violation}` : '');
                const bySearches = searched.map(found => {
                    const cell = document.createElement('td');
                    cell.textContent = found;
                    return cell;
                });
                row.append(name, count, ...bySearches, bar);
                return row;
            }),
        );
    element('statements')
        .querySelector('tbody')
        ?.replaceChildren(
            ...found.growth.map(one => {
                const row = document.createElement('tr');
                const [count, text, link] = [document.createElement('td'), document.createElement('td'), document.createElement('button')];
                count.textContent = grouped(one.states);
                link.textContent = one.text;
                link.className = 'step';
                link.addEventListener('click', () => reveal(one.place));
                text.append(link);
                row.append(count, text);
                return row;
            }),
        );
}

/** What the searches for properties have found: a column for each, and over the table how far each has come. */
function showSearches({ searches, searchesLeftOut }: Picture): void {
    const heading = (text: string, title?: string): HTMLElement => {
        const cell = document.createElement('th');
        cell.scope = 'col';
        cell.textContent = text;
        cell.title = title ?? '';
        return cell;
    };
    const bar = heading('');
    bar.append(Object.assign(document.createElement('span'), { className: 'unseen', textContent: 'As a bar' }));
    const row = document.createElement('tr');
    const names = searches.map(search => heading(nameOf(search), `In the search for ${search.properties.join(', ')}`));
    row.append(heading('Steps'), heading(searches.length === 0 ? 'States' : 'All states'), ...names, bar);
    element('levels').querySelector('thead')?.replaceChildren(row);
    const lines = searches.map(search => `Found in the search for ${nameOf(search)}: ${search.sentence}.`);
    if (searchesLeftOut > 0) {
        lines.push(`${searchesLeftOut} more ${searchesLeftOut === 1 ? 'search is' : 'searches are'} not shown.`);
    }
    element('searches').replaceChildren(...lines.map(line => Object.assign(document.createElement('li'), { textContent: line })));
}

// --- What a person does ---

canvas.addEventListener('scrollend', keep);

canvas.addEventListener('click', event => {
    const target = event.target instanceof Element ? event.target : undefined;
    const node = target?.closest('[data-node]')?.getAttribute('data-node');
    const edge = target?.closest('[data-edge]')?.getAttribute('data-edge');
    if (node !== null && node !== undefined) {
        select(Number(node), true);
    } else if (edge !== null && edge !== undefined) {
        reveal(picture?.edges[Number(edge)]?.place);
    }
});
canvas.addEventListener('keydown', event => {
    if (event.key.startsWith('Arrow')) {
        const at = next(event.key);
        if (at !== undefined) {
            select(at, false);
        }
        event.preventDefault();
    } else if (event.key === 'Enter' && selected !== undefined) {
        reveal(picture?.nodes[selected]?.place ?? picture?.edges.find(edge => edge.from === selected)?.place);
    } else if (event.key === 'Home') {
        select(0, false);
        event.preventDefault();
    }
});
document.addEventListener('keydown', event => {
    if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) {
        return;
    }
    if (event.key === '+' || event.key === '=') {
        choose(scale * 1.25);
    } else if (event.key === '-') {
        choose(scale / 1.25);
    } else if (event.key === '0') {
        fit();
    }
});
element('larger').addEventListener('click', () => choose(scale * 1.25));
element('smaller').addEventListener('click', () => choose(scale / 1.25));
element('fit').addEventListener('click', fit);
choice.addEventListener('change', () => editor.postMessage({ type: 'draw', process: choice.value === ALL ? undefined : choice.value }));
element('copy-dot').addEventListener('click', () => editor.postMessage({ type: 'copyDot' }));
element('copy-svg').addEventListener('click', () => {
    if (picture !== undefined && laid !== undefined) {
        editor.postMessage({ type: 'copySvg', text: standalone(picture, laid) });
    }
});

window.addEventListener('message', (event: MessageEvent<ToPage>) => {
    const message = event.data;
    document.body.classList.toggle('is-busy', message.type === 'busy');
    switch (message.type) {
        case 'picture':
            showFile(message.file);
            show(message.what, message.picture);
            break;
        case 'none':
            showFile(message.file);
            if (picture === undefined) {
                element('title').textContent = 'Nothing to draw';
            }
            say(message.message);
            break;
        case 'copied':
            say(`The picture is in the clipboard, as ${message.form}.`);
            break;
        case 'busy':
            break;
    }
});
editor.postMessage({ type: 'ready' });
