// The page of the trace panel: the steps with their chart, the values, and what a person asks about them. All that is
// shown comes from the server; here it is only laid out.

import { grouped } from '../explorer/numbers';
import { FORMS, LAST, type Named, type Place, type ToExtension, type ToPage, type Trace, type ValueFrom, type Which } from '../panel/protocol';
import { arrange } from './arrangement';
import { drawStep, Lanes, picture, ROW } from './chart';
import { Rows, write } from './rows';
import { heading, lastAtOrBefore, Run, valueAt, waitsOf } from './run';

declare function acquireVsCodeApi(): { postMessage(message: ToExtension): void; getState(): Place | undefined; setState(state: Place): void };

const editor = acquireVsCodeApi();
/** What is kept while the page is hidden: it is made anew when it is shown again. */
let kept = editor.getState();

function element<E extends HTMLElement = HTMLElement>(id: string): E {
    const found = document.getElementById(id);
    if (found === null) {
        throw new Error(`the page has no ${id}`);
    }
    return found as E;
}

function made(name: string, className: string, text = ''): HTMLElement {
    const element = document.createElement(name);
    element.className = className;
    element.textContent = text;
    return element;
}

const steps = element('steps');
const values = element('values');
const filter = element<HTMLInputElement>('filter');
const variableFilter = element<HTMLInputElement>('variable-filter');
const onlyChanged = element<HTMLInputElement>('only-changed');
const watch = element<HTMLInputElement>('watch');
const watchList = element('watches');
const told = element('told');
const main = element('main');

/** Lines of the values' table. */
const LINE = 22;

let which: Which | undefined;
let run: Run | undefined;
let lanes: Lanes | undefined;
/** The states that the filter leaves, by how many steps lead there. */
let shown: number[] = [];
let shownVariables: number[] = [];
/** The state whose values are shown. */
let at = 0;
/** The state that another piece of the run was asked for, where it was. */
let awaited: number | undefined;
/** The steps of the line that the cursor is in. */
let ofLine: ReadonlySet<number> = new Set();
const watches = new Map<string, { values?: readonly ValueFrom[] | undefined; message?: string | undefined }>();

const stepRows = new Rows({ viewport: steps, canvas: element('step-rows'), height: ROW, draw: drawStepRow });
const valueRows = new Rows({ viewport: values, canvas: element('value-rows'), height: LINE, draw: drawValueRow });

// --- What is shown ---

function showTrace({ trace, isNew, isSame }: Extract<ToPage, { type: 'trace' }>): void {
    const last = run;
    run = new Run(trace);
    lanes = undefined;
    ofLine = new Set();
    document.body.classList.add('has-trace');
    element('property').textContent = heading(trace);
    const verdict = element('verdict');
    verdict.textContent = trace.verdict === 'violated' && trace.expectedViolated ? 'violated, as expected' : trace.verdict;
    verdict.className = trace.verdict === 'violated' && !trace.expectedViolated ? 'violated' : 'holds';
    showSentence(trace);
    say('');
    const piece = trace.from > 0 || run.last < trace.length;
    element('piece').hidden = !piece;
    for (const name of ['piece-first', 'piece-back']) {
        element<HTMLButtonElement>(name).disabled = trace.from === 0;
    }
    for (const name of ['piece-on', 'piece-last']) {
        element<HTMLButtonElement>(name).disabled = run.last === trace.length;
    }
    element('piece-told').textContent = `Steps ${grouped(trace.from + 1)} to ${grouped(run.last)} of ${grouped(trace.length)} are shown.`;
    layOut();
    stepRows.measure();
    steps.setAttribute('aria-rowcount', String(trace.length + 1));
    // A page that is made anew goes on where it was.
    const before = last === undefined ? kept?.step : at;
    const wanted = isNew ? run.telling : (awaited ?? before ?? run.telling);
    awaited = undefined;
    at = Math.max(run.first, Math.min(run.last, wanted));
    applyFilter();
    for (const expression of watches.keys()) {
        if (!isSame) {
            // What it was along another trace says nothing.
            watches.set(expression, {});
        }
        editor.postMessage({ type: 'evaluate', expression });
    }
    go(at, { reveal: false, isQuiet: true });
}

/** A letter is about so wide as this part of its height. */
const LETTER = 0.55;
/** In a page that is not so wide, in pixels, no word is spent on what can be seen. */
const TERSE = 1200;
/** And a digit of a number is about so wide, in pixels. */
const DIGIT = 9;

/** Puts steps and values beside each other or the ones below the others, and draws the chart as wide as there is room for. */
function layOut(): void {
    if (run === undefined) {
        return;
    }
    const { trace } = run;
    const wanted = new Lanes(trace);
    const letter = parseFloat(getComputedStyle(document.body).fontSize) * LETTER;
    const { isStacked, room, steps: least } = arrange(main.clientWidth, letter, wanted.width);
    document.body.classList.toggle('is-stacked', isStacked);
    document.body.classList.toggle('is-terse', main.clientWidth < TERSE);
    steps.style.minWidth = `${least}px`;
    const digits = String(trace.length).length * DIGIT;
    document.documentElement.style.setProperty('--number', `${Math.max(isStacked ? 30 : 40, digits)}px`);
    const fitting = isStacked ? new Lanes(trace, room) : wanted;
    if (lanes?.apart === fitting.apart) {
        return;
    }
    lanes = fitting;
    document.documentElement.style.setProperty('--chart', `${lanes.width}px`);
    drawNames(trace, lanes);
    stepRows.redraw();
}

new ResizeObserver(layOut).observe(main);

function showFile({ name, path }: Named): void {
    element('file').textContent = name;
    element('file').title = path;
}

function showSentence(trace: Trace): void {
    const { sentence, folded } = waitsOf(trace);
    element('sentence').textContent = sentence;
    const waits = element<HTMLDetailsElement>('waits');
    waits.hidden = folded.length === 0;
    waits.open = false;
    element('waits-told').textContent = `All ${grouped(folded.length)} that wait`;
    element('waits-list').replaceChildren(...folded.map(wait => made('li', '', wait)));
}

function drawNames(trace: Trace, lanes: Lanes): void {
    const names = element('names');
    names.style.height = lanes.shown.length === 0 ? '0' : '';
    names.replaceChildren(
        ...lanes.shown.map((participant, place) => {
            const one = trace.participants[participant];
            const name = made('span', `name ${one?.kind ?? ''}`, one?.name);
            name.title = one?.name ?? '';
            name.style.left = `${(place + 0.5) * lanes.apart}px`;
            name.style.maxWidth = `${lanes.apart - 4}px`;
            return name;
        }),
    );
}

function drawStepRow(place: number, row: HTMLElement): void {
    const state = shown[place];
    if (run === undefined || lanes === undefined || state === undefined) {
        return;
    }
    const { trace } = run;
    const step = run.step(state);
    if (row.childElementCount === 0) {
        row.setAttribute('role', 'row');
        const cells = ['number', 'chart', 'statement', 'changes'].map(name => made('span', name));
        cells.forEach(cell => cell.setAttribute('role', 'gridcell'));
        cells[1]?.append(picture());
        cells[2]?.append(made('span', 'who'), made('span', 'line'), made('code', 'text'));
        row.append(...cells);
    }
    const [number, chart, statement, changes] = row.children as unknown as [HTMLElement, HTMLElement, HTMLElement, HTMLElement];
    row.id = `step-${state}`;
    row.dataset['state'] = String(state);
    row.setAttribute('aria-rowindex', String(state + 1));
    row.setAttribute('aria-selected', String(state === at));
    const cycle = trace.cycleStart;
    const onCycle = run.isOnCycle(state);
    row.className = [
        'step',
        state === at ? 'selected' : '',
        ofLine.has(state) ? 'of-line' : '',
        onCycle ? 'cycle' : '',
        onCycle && cycle !== null && state === cycle + 1 ? 'cycle-first' : '',
        onCycle && state === trace.length ? 'cycle-last' : '',
        step?.fails !== undefined ? 'fails' : '',
    ].join(' ');
    row.title = onCycle ? 'Gone round again and again' : '';
    write(number, step === undefined && state === 0 ? '' : String(state));
    drawStep(chart.firstElementChild as SVGSVGElement, lanes, step);
    const [who, lineCell, text] = statement.children as unknown as [HTMLElement, HTMLElement, HTMLElement];
    if (step === undefined) {
        write(who, state === 0 ? 'the start' : `after step ${state}`);
        const values = run.firstValues();
        write(changes, values.join(', '));
        changes.title = values.join('\n');
        write(lineCell, '');
        write(text, '');
        lineCell.title = statement.title = '';
        return;
    }
    const part = step.by[0];
    const source = part === undefined ? undefined : trace.statements[part.statement];
    const line = source === undefined || source.file === null ? '' : `${source.range.start.line + 1}`;
    write(who, run.who(state));
    write(lineCell, line);
    lineCell.title = line === '' ? '' : `line ${line}`;
    write(text, step.label);
    statement.title = step.by.map(one => `${trace.participants[one.participant]?.name}: ${one.does}`).join('\n');
    const all = run.changes(state);
    write(changes, all.join(', '));
    changes.title = all.join('\n');
}

/** What stands in the rows of the values. */
const saying = new WeakMap<HTMLElement, string>();

function drawValueRow(place: number, row: HTMLElement): void {
    const variable = shownVariables[place];
    if (run === undefined || variable === undefined) {
        return;
    }
    if (row.childElementCount === 0) {
        row.setAttribute('role', 'row');
        const cells = ['mark', 'name', 'value'].map(name => made('span', name));
        cells.forEach(cell => cell.setAttribute('role', 'cell'));
        row.append(...cells);
    }
    const [mark, name, value] = row.children as unknown as [HTMLElement, HTMLElement, HTMLElement];
    const before = run.changedFrom(variable, at);
    const now = run.value(variable, at);
    const one = run.trace.variables[variable];
    // Most values are those of the step before.
    const says = [one?.kind, one?.name, variable, before, now].join('\n');
    if (saying.get(row) === says) {
        return;
    }
    saying.set(row, says);
    row.className = `variable ${one?.kind ?? ''} ${before === undefined ? '' : 'changed'}`;
    row.setAttribute('aria-rowindex', String(variable + 1));
    mark.textContent = before === undefined ? '' : '●';
    mark.setAttribute('aria-label', before === undefined ? '' : 'changed');
    name.textContent = one?.name ?? '';
    name.title = one?.kind === 'location' ? `where ${one.name} is` : name.textContent;
    value.replaceChildren(...(before === undefined ? [] : [made('span', 'before', before), made('span', 'arrow', ' → ')]), made('span', 'now', now));
    value.title = before === undefined ? now : `${before} → ${now}`;
}

function drawWatches(): void {
    watchList.replaceChildren(
        ...[...watches].map(([expression, found]) => {
            const row = made('div', 'watched');
            const value = found.values === undefined ? undefined : valueAt(found.values, at);
            const before = found.values === undefined || run === undefined || at === run.first ? value : valueAt(found.values, at - 1);
            const says = found.message ?? value?.value ?? (value?.fails === undefined ? '…' : `no value: ${value.fails}`);
            const isChanged = value !== before;
            row.classList.toggle('changed', isChanged);
            row.classList.toggle('wrong', found.message !== undefined || value?.fails !== undefined);
            const text = made('span', 'value', says);
            text.title = says;
            const name = made('code', 'name', expression);
            name.title = expression;
            const remove = made('button', 'remove', '×');
            remove.title = `Leave out ${expression}`;
            remove.setAttribute('aria-label', remove.title);
            remove.addEventListener('click', () => {
                watches.delete(expression);
                editor.postMessage({ type: 'leave', expression });
                drawWatches();
                keep();
                watch.focus();
            });
            row.append(made('span', 'mark', isChanged ? '●' : ''), name, text, remove);
            return row;
        }),
    );
}

// --- Where one stands ---

interface Going {
    /** Show the source of the step. */
    readonly reveal: boolean;
    /** Say nothing. */
    readonly isQuiet?: boolean;
}

/** Goes to a state: that after so many steps. */
function go(state: number, { reveal, isQuiet }: Going): void {
    if (run === undefined) {
        return;
    }
    const before = at;
    at = Math.max(run.first, Math.min(run.last, state));
    // First, as long as nothing has changed that would have to be laid out.
    const place = placeOf(at);
    if (place !== undefined) {
        stepRows.reveal(place);
        steps.setAttribute('aria-activedescendant', `step-${at}`);
    }
    // Only these two rows look otherwise than before.
    for (const changed of [placeOf(before), place]) {
        if (changed !== undefined) {
            stepRows.redrawRow(changed);
        }
    }
    element('where').textContent = at === 0 ? `The start of ${grouped(run.trace.length)}` : `Step ${grouped(at)} of ${grouped(run.trace.length)}`;
    element<HTMLButtonElement>('first').disabled = element<HTMLButtonElement>('back').disabled = at === 0;
    element<HTMLButtonElement>('forward').disabled = element<HTMLButtonElement>('last').disabled = at === run.trace.length;
    if (onlyChanged.checked) {
        applyVariableFilter();
    } else {
        valueRows.redraw();
    }
    drawWatches();
    if (isQuiet !== true) {
        say(run.sentence(at));
    }
    editor.postMessage({ type: 'at', step: at, reveal });
    keep();
}

/** Among the states that the filter leaves. */
function placeOf(state: number): number | undefined {
    const place = lastAtOrBefore(shown, state);
    return shown[place] === state ? place : undefined;
}

/** Asks for another piece of the run, and goes to a state of it. */
function goElsewhere(from: number, state: number): void {
    awaited = state;
    editor.postMessage({ type: 'piece', from: Math.max(0, from) });
}

/** Goes to the start of the run, or to its end, in whatever piece that is. */
function goToStart(): void {
    if (run !== undefined && run.first > 0) {
        goElsewhere(0, 0);
    } else {
        move(-shown.length);
    }
}

function goToEnd(): void {
    if (run !== undefined && run.last < run.trace.length) {
        goElsewhere(LAST, run.trace.length);
    } else {
        move(shown.length);
    }
}

/** Goes on by so many of the steps that the filter leaves, or back; beyond the last one into the next piece. */
function move(by: number): void {
    if (run !== undefined && by > 0 && run.last < run.trace.length && at >= (shown.at(-1) ?? 0)) {
        goElsewhere(run.last, run.last + 1);
        return;
    }
    if (run !== undefined && by < 0 && run.first > 0 && at === run.first) {
        goElsewhere(run.first - run.trace.steps.length, run.first - 1);
        return;
    }
    const place = lastAtOrBefore(shown, at);
    // Between two that are left, one step back leads to the one before.
    const exact = shown[place] === at || by > 0 ? place : place + 1;
    const state = shown[Math.max(0, Math.min(shown.length - 1, exact + by))];
    if (state !== undefined) {
        go(state, { reveal: true });
    }
}

function applyFilter(): void {
    if (run === undefined) {
        return;
    }
    shown = run.shown(filter.value);
    stepRows.reset(shown.length);
    element('filtered').textContent = filter.value.trim() === '' ? '' : `${grouped(shown.length - 1)} of ${grouped(run.trace.steps.length)} steps`;
    const place = placeOf(at);
    if (place !== undefined) {
        stepRows.reveal(place);
    }
    applyVariableFilter();
}

function applyVariableFilter(): void {
    if (run !== undefined) {
        shownVariables = run.variables(variableFilter.value, onlyChanged.checked ? at : undefined);
        valueRows.reset(shownVariables.length);
        element('no-values').hidden = shownVariables.length > 0;
    }
}

function say(text: string): void {
    told.textContent = text;
}

function keep(): void {
    if (which !== undefined) {
        kept = {
            ...kept,
            which,
            // Until there is a run one is where one was.
            ...(run === undefined ? {} : { from: run.first, step: at }),
            filter: filter.value,
            variableFilter: variableFilter.value,
            onlyChanged: onlyChanged.checked,
            watches: [...watches.keys()],
        };
        editor.setState(kept);
    }
}

// --- What a person does ---

const MOVES: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowRight: () => move(1),
    j: () => move(1),
    ArrowUp: () => move(-1),
    ArrowLeft: () => move(-1),
    k: () => move(-1),
    PageDown: () => move(stepRows.page),
    PageUp: () => move(-stepRows.page),
    Home: goToStart,
    End: goToEnd,
};

/** The keys that scroll a table. */
const SCROLLS: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'PageDown', 'PageUp', 'Home', 'End']);

/** Whether a key is for the table of the values, which the browser scrolls with it. */
function isScrolling({ key, target }: KeyboardEvent): boolean {
    return target === values && SCROLLS.has(key);
}

document.addEventListener('keydown', event => {
    const isTyping = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox';
    const isElsewhere = isTyping || event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key === 'Escape' && isTyping) {
        steps.focus();
    } else if (event.key === '/' && !isElsewhere) {
        event.preventDefault();
        filter.select();
    } else if (!isElsewhere && !isScrolling(event) && MOVES[event.key] !== undefined) {
        event.preventDefault();
        MOVES[event.key]?.();
    }
});

steps.addEventListener('click', event => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-state]') : null;
    if (row !== null) {
        go(Number(row.dataset['state']), { reveal: true });
    }
});
element('first').addEventListener('click', goToStart);
element('back').addEventListener('click', () => move(-1));
element('forward').addEventListener('click', () => move(1));
element('last').addEventListener('click', goToEnd);
filter.addEventListener('input', () => {
    applyFilter();
    keep();
});
for (const input of [variableFilter, onlyChanged]) {
    input.addEventListener('input', () => {
        applyVariableFilter();
        keep();
    });
}
watch.addEventListener('keydown', event => {
    const expression = watch.value.trim();
    if (event.key === 'Enter' && expression !== '') {
        watches.set(expression, {});
        editor.postMessage({ type: 'evaluate', expression });
        watch.value = '';
        drawWatches();
        keep();
    }
});
element('states').addEventListener('click', () => editor.postMessage({ type: 'states' }));
for (const form of FORMS) {
    element(`copy-${form}`).addEventListener('click', () => editor.postMessage({ type: 'copy', form }));
}
element('piece-first').addEventListener('click', () => goElsewhere(0, 0));
element('piece-back').addEventListener('click', () => run !== undefined && goElsewhere(run.first - run.trace.steps.length, run.first));
element('piece-on').addEventListener('click', () => run !== undefined && goElsewhere(run.last, run.last));
element('piece-last').addEventListener('click', () => run !== undefined && goElsewhere(LAST, run.trace.length));

// --- What the extension says ---

/** This is the run that is asked about: where one was in another one says nothing. */
function turnTo(wanted: Which): void {
    if (JSON.stringify(kept?.which) !== JSON.stringify(wanted)) {
        kept = undefined;
    }
    which = wanted;
}

window.addEventListener('message', (event: MessageEvent<ToPage>) => {
    const message = event.data;
    switch (message.type) {
        case 'trace':
            turnTo(message.which);
            showFile(message.file);
            element('outdated').hidden = true;
            showTrace(message);
            break;
        case 'none':
            turnTo(message.which);
            showFile(message.file);
            awaited = undefined;
            element('outdated').textContent = message.message;
            element('outdated').hidden = false;
            if (run === undefined) {
                element('property').textContent = message.which.property;
            }
            keep();
            break;
        case 'line':
            ofLine = new Set(message.steps);
            stepRows.redraw();
            if (message.step !== undefined && message.step !== at) {
                go(message.step, { reveal: false });
            }
            break;
        case 'values':
            if (watches.has(message.expression)) {
                watches.set(message.expression, { values: message.values, message: message.message });
                drawWatches();
            }
            break;
        case 'copied':
            say(`Copied as ${message.form === 'text' ? 'text' : message.form === 'mermaid' ? 'Mermaid' : message.form.toUpperCase()}.`);
            break;
    }
});

if (kept !== undefined) {
    filter.value = kept.filter ?? '';
    variableFilter.value = kept.variableFilter ?? '';
    onlyChanged.checked = kept.onlyChanged ?? false;
    kept.watches?.forEach(expression => watches.set(expression, {}));
}
editor.postMessage({ type: 'ready' });
steps.focus();
