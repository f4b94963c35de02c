import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '../src/picture/page';
import type { Picture, PictureNode } from '../src/picture/protocol';
import { cut, labelsOf, lay, linesOf, path } from '../src/webview/layout';
import { nameOf, rowsOf } from '../src/webview/levels';
import { looksLike } from '../src/webview/same';

function picture(nodes: readonly Partial<PictureNode>[], edges: readonly (readonly [number, number])[], variables: readonly string[] = []): Picture {
    return {
        kind: 'states',
        title: 'All states',
        sentence: 'they can be reached',
        property: null,
        whyNoRun: null,
        processes: ['p'],
        processesLeftOut: 0,
        files: [],
        variables,
        nodes: nodes.map((node, at) => ({ label: String(at), marks: [], ...node })),
        edges: edges.map(([from, to]) => ({ from, to, labels: [`p: to ${to}`] })),
        levels: [],
        searches: [],
        searchesLeftOut: 0,
        growth: [],
        complete: true,
    };
}

test('what comes later is below, and nothing lies on another', () => {
    const laid = lay(picture([{}, {}, {}, {}], [[0, 1], [0, 2], [1, 3], [2, 3], [3, 3]]));
    const [start, left, right, end] = laid.boxes;
    assert.ok(start !== undefined && left !== undefined && right !== undefined && end !== undefined);
    assert.ok(start.y < left.y && left.y < end.y && Math.abs(left.y - right.y) < 1);
    assert.ok(Math.abs(left.x - right.x) >= (left.width + right.width) / 2);
    assert.ok(laid.ways.every(way => way.points.length >= 2), 'a step to the same state is drawn too');
    assert.ok(laid.boxes.every(box => box.x + box.width / 2 <= laid.width && box.y + box.height / 2 <= laid.height));
});

test('a step to the same node goes out of its side and back, with its text beside it', () => {
    const laid = lay({ ...picture([{}, {}], [[0, 0], [0, 1]]), kind: 'process' });
    const [box, way] = [laid.boxes[0], laid.ways[0]];
    assert.ok(box !== undefined && way?.label !== undefined);
    const right = box.x + box.width / 2;
    assert.ok(way.points.every(point => point.x >= right) && way.points.at(0)?.x === right && way.points.at(-1)?.x === right);
    assert.ok(way.label.x > right && way.label.x < laid.width);
});

test('several ways between two nodes are kept apart from those back', () => {
    const laid = lay(picture([{}, {}], [[0, 1], [1, 0]]));
    const middle = laid.ways.map(way => way.points[Math.floor(way.points.length / 2)]?.x ?? 0);
    assert.notEqual(middle[0], middle[1]);
});

test('a node says what differs, as long as there are few nodes', () => {
    const few = picture([{ values: ['1', 'idle'] }], [], ['x', 'p']);
    assert.deepEqual(linesOf(few, few.nodes[0] as PictureNode), ['0: x = 1', 'p = idle']);
    const many = picture(Array.from({ length: 61 }, () => ({ values: ['1'] })), [[0, 1]], ['x']);
    assert.deepEqual(linesOf(many, many.nodes[7] as PictureNode), ['7']);
    assert.deepEqual(labelsOf(many, many.edges[0] as Picture['edges'][number]), []);
});

test('of many nodes those edges alone are laid out that lead to the next level', () => {
    // A chain of seventy, with a way back to the start from each and a step past two.
    const nodes = Array.from({ length: 70 }, () => ({}));
    const chain = nodes.slice(1).map((_, at) => [at, at + 1] as const);
    const back = nodes.slice(1).map((_, at) => [at + 1, 0] as const);
    const laid = lay(picture(nodes, [...chain, ...back]));
    // One below the other, so that those back cross everything: they are drawn straight, by a point in between.
    const ys = laid.boxes.map(box => box.y);
    assert.deepEqual(ys, [...ys].sort((one, other) => one - other));
    assert.ok(laid.ways.slice(chain.length).every(way => way.points.length === 3));
    const widths = laid.boxes.map(box => box.x);
    assert.ok(Math.max(...widths) - Math.min(...widths) < 1, 'no room was made for those back');
});

test('a line goes from its first point to its last, and a long label is cut', () => {
    assert.equal(path([]), '');
    assert.equal(path([{ x: 0, y: 0 }, { x: 0, y: 10 }]), 'M0,0L0,10');
    assert.match(path([{ x: 0, y: 0 }, { x: 4, y: 10 }, { x: 0, y: 20 }]), /^M0,0L2,5Q4,10 2,15L0,20$/);
    assert.equal(cut('a'.repeat(40)), `${'a'.repeat(35)}…`);
});

test('the levels of a large state space are rows, with the one marked in which the run ends', () => {
    const level = (states: number, ...marks: 'violation'[]) => ({ states, edges: 0, ...(marks.length > 0 && { marks }) });
    const few = rowsOf({ ...picture([], []), levels: [level(1), level(1200, 'violation'), level(7)], complete: false });
    assert.deepEqual(
        few.map(({ steps, count, hasViolation }) => [steps, count, hasViolation]),
        [['0', '1', false], ['1', '1,200', true], ['2', '7 or more', false]],
    );
    const many = rowsOf({ ...picture([], []), levels: Array.from({ length: 241 }, (_, at) => (at === 7 ? level(1, 'violation') : level(1))) });
    assert.equal(many.length, 81);
    assert.deepEqual(many.filter(row => row.hasViolation).map(row => row.steps), ['6–8']);
    assert.equal(many.at(-1)?.steps, '240');
});

test('beside the levels stands what searches for properties have found, as far as each has come', () => {
    const level = (states: number) => ({ states, edges: 0 });
    const search = (properties: string[], levels: number[]) => ({ properties, sentence: '', levels });
    const searches = [search(['mutex', 'errors', 'access(0)'], [1, 2, 1300, 4]), search(['deadlock'], [1, 5])];
    const all = (complete: boolean) => rowsOf({ ...picture([], []), levels: [level(1), level(9), level(20)], searches, complete });
    const told = (complete: boolean) => all(complete).map(({ count, searched }) => [count, ...searched]);
    // A search that leaves steps out may need more of them than there are states so far away.
    assert.deepEqual(told(true), [['1', '1', '1'], ['9', '2', '5'], ['20', '1,300', ''], ['0', '4', '']]);
    assert.deepEqual(told(false), [['1', '1', '1'], ['9', '2', '5'], ['20 or more', '1,300', ''], ['', '4', '']]);
    assert.deepEqual(searches.map(nameOf), ['mutex and 2 more', 'deadlock']);
});

test('the page loads its own script and style and nothing else', () => {
    const text = html({ nonce: 'abc', source: 'https://own', script: 's.js', style: 's.css' });
    assert.match(text, /default-src 'none'; style-src https:\/\/own; script-src 'nonce-abc'/);
    assert.doesNotMatch(text, /style=|onclick=|http:/);
});

test('a picture looks as before where only the places in the text are others', () => {
    const place = (line: number) => ({ file: 0, range: { start: { line, character: 0 }, end: { line, character: 4 } } });
    const before = picture([{ place: place(3) }, {}], [[0, 1]]);
    assert.ok(looksLike(before, { ...picture([{ place: place(4) }, {}], [[0, 1]]), sentence: 'they can be reached at once' }));
    const named = (line: number) => picture([{ label: `line ${line}`, values: [`line ${line} (2)`] }], []);
    assert.ok(looksLike(named(9), named(10)));
    for (const other of [picture([{}, {}], [[1, 0]]), picture([{}, { marks: ['violation'] }], [[0, 1]]), { ...before, title: 'p(0)' }, { ...before, property: 'low' }]) {
        assert.equal(looksLike(before, other), false);
    }
});
