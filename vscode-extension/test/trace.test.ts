import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineNotes, placeOfStep, stepsOfLine } from '../src/panel/lines';
import { Evaluations, type Evaluated } from '../src/panel/evaluations';
import { html } from '../src/panel/page';
import { type Range, tellingOf, type Step, type Trace } from '../src/panel/protocol';
import { followed, nameOf, renamed } from '../src/panel/renamed';
import { arrange } from '../src/webview/arrangement';
import { heading, lastAtOrBefore, Run, valueAt, waitsOf } from '../src/webview/run';

const at = (line: number, from: number, to: number): Range => ({ start: { line, character: from }, end: { line, character: to } });
const range = (line: number) => ({ start: { line, character: 4 }, end: { line, character: 9 } });

/** Three steps of two processes: `x` goes up, `c` is sent to, `x` goes up again; the last two are a cycle. */
function trace(more: Partial<Trace> = {}): Trace {
    const step = (participant: number, statement: number, rest: Partial<Step>): Step => ({
        by: [{ participant, statement, does: 'here' }],
        label: 'x = x + 1',
        ...rest,
    });
    return {
        property: 'low',
        kind: 'invariant',
        verdict: 'violated',
        expectedViolated: false,
        sentence: 'it is',
        location: { uri: 'file:///m.stb', range: range(9) },
        length: 3,
        cycleStart: 1,
        from: 0,
        files: ['file:///m.stb'],
        participants: [
            { name: 'p(0)', kind: 'process', moves: true },
            { name: 'q', kind: 'process', moves: true },
            { name: 'c', kind: 'channel', moves: true },
        ],
        variables: [
            { name: 'x', kind: 'shared', value: '0' },
            { name: 'c', kind: 'channel', owner: 2, value: '[]' },
            { name: 'p(0)', kind: 'location', owner: 0, value: 'idle' },
        ],
        statements: [
            { file: 0, range: range(3), text: 'x = x + 1' },
            { file: 0, range: range(7), text: 'send c(1)' },
        ],
        steps: [
            step(0, 0, { changes: [{ variable: 0, before: '0', after: '1' }, { variable: 2, before: 'idle', after: 'busy' }] }),
            step(1, 1, { label: 'send c(1)', changes: [{ variable: 1, before: '[]', after: '[1]' }], messages: [{ channel: 2, text: '1', sent: true }] }),
            step(0, 0, { changes: [{ variable: 0, before: '1', after: '2' }] }),
        ],
        waits: [],
        ...more,
    };
}

test('a value is what the last step before has made of it', () => {
    const run = new Run(trace());
    assert.deepEqual([0, 1, 2, 3].map(state => run.value(0, state)), ['0', '1', '1', '2']);
    assert.deepEqual([0, 1, 2, 3].map(state => run.value(1, state)), ['[]', '[]', '[1]', '[1]']);
    assert.deepEqual([0, 1, 2, 3].map(state => run.changedFrom(0, state)), [undefined, '0', undefined, '1']);
});

test('a piece of a long run has the numbers of the whole', () => {
    const run = new Run(trace({ from: 100, length: 400, cycleStart: null }));
    assert.deepEqual([run.first, run.last, run.telling], [100, 103, 103]);
    assert.deepEqual([100, 101, 103].map(state => run.value(0, state)), ['0', '1', '2']);
    assert.equal(run.step(100), undefined);
    assert.equal(run.sentence(100), 'After step 100');
});

test('a run opens at its last step, or where its cycle begins', () => {
    assert.equal(new Run(trace()).telling, 2);
    assert.equal(new Run(trace({ cycleStart: null })).telling, 3);
    assert.equal(new Run(trace({ steps: [], length: 0, cycleStart: null })).telling, 0);
    assert.deepEqual([1, 2, 3].map(state => new Run(trace()).isOnCycle(state)), [false, true, true]);
});

test('of a run in pieces it opens at the step that tells most, if the piece has it', () => {
    const end = trace({ from: 397, length: 400, cycleStart: null });
    assert.deepEqual([tellingOf(end), new Run(end).telling], [400, 400]);
    const start = trace({ from: 0, length: 400, cycleStart: null });
    assert.deepEqual([tellingOf(start), new Run(start).telling], [400, 3]);
    const cycle = trace({ from: 397, length: 400, cycleStart: 20 });
    assert.deepEqual([tellingOf(cycle), new Run(cycle).telling], [21, 397]);
});

test('what every model is asked is named once, and so is who waits', () => {
    assert.equal(heading(trace()), 'invariant low');
    assert.equal(heading(trace({ kind: 'deadlock', property: 'deadlock' })), 'deadlock');
    const waits = (count: number) => Array.from({ length: count }, (_, at) => ({ sentence: `p(${at}) at line 2 waits for \`free\`` }));
    const told = 'from the start nothing can happen: ' + waits(2).map(wait => wait.sentence).join(' and ');
    assert.deepEqual(waitsOf(trace({ sentence: told, waits: waits(2) })), { sentence: told, folded: [] });
    // The sentence of another property has none of them.
    assert.deepEqual(waitsOf(trace({ sentence: 'a run ends here', waits: waits(2) })), {
        sentence: `a run ends here; ${waits(2).map(wait => wait.sentence).join('; ')}`,
        folded: [],
    });
    // Of many the sentence has the first ones alone.
    const { sentence, folded } = waitsOf(trace({ sentence: `${told} and 998 more`, waits: waits(1000) }));
    assert.equal(sentence, `${told} and 998 more`);
    assert.equal(folded.length, 1000);
});

test('a filter leaves the steps of a process, and those that change a variable', () => {
    const run = new Run(trace());
    assert.deepEqual(run.shown(''), [0, 1, 2, 3]);
    assert.deepEqual(run.shown('Q'), [0, 2]);
    assert.deepEqual(run.shown('x'), [0, 1, 3]);
    assert.deepEqual(run.shown('p(0)'), [0, 1, 3]);
    assert.deepEqual(run.shown('nobody'), [0]);
    assert.deepEqual(run.shown('q, x'), [0, 1, 2, 3]);
    assert.deepEqual(run.variables('', undefined), [0, 1, 2]);
    assert.deepEqual(run.variables('', 1), [0, 2]);
    assert.deepEqual(run.variables('c', undefined), [1]);
});

test('a step is told in a sentence, without where processes go', () => {
    const run = new Run(trace());
    assert.equal(run.sentence(0), 'At the start');
    assert.equal(run.sentence(1), 'Step 1 of 3: p(0), x = x + 1; x: 0 → 1');
    assert.equal(run.sentence(2), 'Step 2 of 3, again and again: q, send c(1); c: [] → [1]');
});

test('before the steps each variable has its first value, and processes are left out', () => {
    assert.deepEqual(new Run(trace()).firstValues(), ['x = 0', 'c = []']);
});

test('an expression is what it was told to be last', () => {
    const values = [{ state: 0, value: 'a' }, { state: 5, fails: 'no' }];
    assert.equal(valueAt(values, 4)?.value, 'a');
    assert.equal(valueAt(values, 5)?.fails, 'no');
    assert.equal(valueAt([{ state: 7, value: 'b' }], 6), undefined);
    assert.deepEqual([-1, 0, 1, 9].map(most => lastAtOrBefore([0, 2, 4], most)), [-1, 0, 0, 2]);
});

test('lines know their steps, and the ends of lines tell of the last one up to now', () => {
    const shown = trace();
    assert.deepEqual(stepsOfLine(shown, 0, 3), [1, 3]);
    assert.deepEqual(stepsOfLine(shown, 0, 4), []);
    assert.deepEqual(stepsOfLine(shown, 1, 3), []);
    assert.equal(placeOfStep(shown, 2)?.range.start.line, 7);
    assert.equal(placeOfStep(shown, 0), undefined);
    const text = (now: number) => lineNotes(shown, 0, now).map(note => `${note.line} ${note.text}`);
    assert.deepEqual(text(2), ['3 steps 1, 3  ·  1: x = 1', '7 step 2  ·  c = [1]']);
    assert.deepEqual(text(3)[0], '3 steps 1, 3  ·  3: x = 2');
});

test('a line that is passed very often tells a few of the steps', () => {
    const one = trace().steps[0];
    assert.ok(one !== undefined);
    const many = trace({ steps: Array.from({ length: 5000 }, () => one), length: 5000, cycleStart: null });
    assert.equal(lineNotes(many, 0, 2000)[0]?.text, 'steps …, 1998, 1999, 2000, 2001, 2002, 2003, …  ·  2000: x = 1');
});

test('the page loads nothing but its own script and style', () => {
    const page = html({ nonce: 'abc', source: 'https://files.example', script: 's.js', style: 's.css' });
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    assert.equal(policy, "default-src 'none'; style-src https://files.example; script-src 'nonce-abc'");
    assert.doesNotMatch(page, / style="| on[a-z]+="|unsafe/);
});

/** Answers when the test says so, and remembers what was asked and taken back. */
function evaluations() {
    const asked: { expression: string; signal: AbortSignal; answer: (found: Evaluated | undefined) => void }[] = [];
    const all = new Evaluations((expression, signal) => new Promise(answer => asked.push({ expression, signal, answer })));
    all.turnTo('a trace');
    return { all, asked };
}

const value: Evaluated = { values: [{ state: 0, value: '1' }] };

test('an expression is asked for once along a trace, and once more along another one', async () => {
    const { all, asked } = evaluations();
    const both = [all.of('x'), all.of('x')];
    assert.equal(asked.length, 1);
    asked[0]?.answer(value);
    assert.deepEqual(await Promise.all(both), [value, value]);
    assert.equal(all.turnTo('a trace'), true);
    assert.equal(await all.of('x'), value);
    assert.equal(asked.length, 1);
    assert.equal(all.turnTo('another trace'), false);
    void all.of('x');
    assert.equal(asked.length, 2);
});

test('what is not known yet is taken back where it is not wanted any more, and told to nobody', async () => {
    const { all, asked } = evaluations();
    const [x, y] = [all.of('x'), all.of('y')];
    all.leave('x');
    assert.deepEqual(asked.map(one => one.signal.aborted), [true, false]);
    all.turnTo('another trace');
    assert.deepEqual(asked.map(one => one.signal.aborted), [true, true]);
    asked.forEach(one => one.answer(value));
    assert.deepEqual([await x, await y], [undefined, undefined]);
    void all.of('x');
    all.forget();
    assert.equal(asked[2]?.signal.aborted, true);
});

test('an expression that got no answer is asked for once more', async () => {
    const { all, asked } = evaluations();
    const first = all.of('x');
    asked[0]?.answer(undefined);
    assert.equal(await first, undefined);
    void all.of('x');
    assert.equal(asked.length, 2);
});

test('a name is followed through edits of its text', () => {
    const name = { text: 'low', start: { line: 9, character: 10 } };
    assert.deepEqual(nameOf(trace({ location: { uri: 'file:///m.stb', range: at(9, 10, 13) } })), name);
    const after = (...changes: [Range, string][]) => followed(name, changes.map(([range, text]) => ({ range, text })));
    assert.deepEqual(after([at(9, 10, 13), 'small']), { text: 'small', start: { line: 9, character: 10 } });
    // As an editor does with what two names have in common.
    assert.deepEqual(after([at(9, 10, 11), 'f'], [at(9, 12, 13), 'es']), { text: 'foes', start: { line: 9, character: 10 } });
    assert.deepEqual(after([at(9, 10, 13), '']), { text: '', start: { line: 9, character: 10 } });
    assert.deepEqual(after([at(9, 13, 13), 'er']), { text: 'lower', start: { line: 9, character: 10 } });
    // What is above it, before it, and behind it.
    assert.deepEqual(after([at(2, 0, 0), '// two\n// lines\n']), { text: 'low', start: { line: 11, character: 10 } });
    assert.deepEqual(after([at(9, 0, 10), 'reachable ']), name);
    assert.deepEqual(after([at(9, 0, 1), '\n  '], [at(9, 15, 18), 'x\ny']), { text: 'low', start: { line: 10, character: 11 } });
    assert.deepEqual(after([{ start: { line: 7, character: 4 }, end: { line: 9, character: 2 } }, '']), { text: 'low', start: { line: 7, character: 12 } });
    // No name any more.
    assert.equal(after([at(9, 8, 12), '']), undefined);
    assert.equal(after([at(9, 11, 11), ': ']), undefined);
});

test('a property of another name has the values of its parameters', () => {
    const name = { text: 'small', start: { line: 9, character: 10 } };
    assert.equal(renamed('low', name), 'small');
    assert.equal(renamed('low(2)', name), 'small(2)');
    assert.equal(nameOf(trace({ property: 'deadlock', kind: 'deadlock' })), undefined);
});

test('values are below the steps where both do not fit beside each other, and the chart leaves room for the texts', () => {
    assert.deepEqual(arrange(1000, 7, 200), { isStacked: false, room: 200, steps: 696 });
    // So many lines that the chart is wide, and a panel that is narrow.
    assert.equal(arrange(1000, 7, 400).isStacked, true);
    const { isStacked, room } = arrange(500, 7, 240);
    assert.ok(isStacked && room > 150 && room < 240, String(room));
    assert.equal(arrange(100, 7, 240).room, 0);
});
