import assert from 'node:assert/strict';
import { test } from 'node:test';
import { families, linesOf, markOf, markOfAll, rangeOfTest, summary } from '../src/explorer/marks';
import { short, valuesOf } from '../src/explorer/numbers';
import type { PropertyStanding } from '../src/explorer/protocol';
import { inSight, PICTURE_PANEL, TRACE_PANEL } from '../src/explorer/sight';
import { mismatch, PROTOCOL } from '../src/explorer/version';

function property(name: string, changes: Partial<PropertyStanding> = {}): PropertyStanding {
    return {
        name,
        base: name.replace(/\(.*/, ''),
        kind: 'invariant',
        uri: 'file:///m.stb',
        range: { start: { line: 3, character: 0 }, end: { line: 3, character: 4 } },
        state: 'holds',
        before: null,
        right: true,
        told: '',
        why: null,
        hasRun: false,
        states: 1,
        seconds: 0,
        took: 0,
        ...changes,
    };
}

test('a mark says whether the verdict is the one that the text expects, and what is known while there is none', () => {
    assert.equal(markOf(property('a')), 'holds');
    assert.equal(markOf(property('a', { state: 'violated', right: false })), 'violated');
    assert.equal(markOf(property('a', { state: 'violated', right: true })), 'holds');
    assert.equal(markOf(property('a', { state: 'holds', right: false })), 'violated');
    assert.equal(markOf(property('a', { state: 'undecided', right: null })), 'undecided');
    assert.equal(markOf(property('a', { state: 'running', right: null })), 'checking');
    assert.equal(markOf(property('a', { state: 'waiting', right: null, before: 'holds' })), 'checking');
    assert.equal(markOf(property('a', { state: 'stale', right: null, before: 'holds' })), 'outdated');
    assert.equal(markOf(property('a', { state: 'stale', right: null })), 'unchecked');
});

test('of several properties of one line the mark is the one to be seen first', () => {
    const holds = property('a');
    const outdated = property('b', { state: 'stale', right: null, before: 'holds' });
    const violated = property('c', { state: 'violated', right: false });
    assert.equal(markOfAll([holds, outdated]), 'outdated');
    assert.equal(markOfAll([holds, outdated, violated]), 'violated');
    assert.equal(markOfAll([]), undefined);
    const elsewhere = property('d', { uri: 'file:///other.stb', state: 'violated', right: false });
    assert.deepEqual(
        linesOf('file:///m.stb', [holds, outdated, elsewhere]).map(({ line, mark }) => [line, mark]),
        [[3, 'outdated']],
    );
});

test('the values of a property are one family, and a property without parameters is one of its own', () => {
    const found = families([property('access(1)'), property('mutex'), property('access(2)')]);
    assert.deepEqual(
        found.map(({ base, members, hasParameters }) => [base, members.length, hasParameters]),
        [
            ['access', 2, true],
            ['mutex', 1, false],
        ],
    );
});

test('a test has a place in the text only where the editor draws no icons of its own over the marks there', () => {
    const one = property('a');
    const range = (...off: string[]) => rangeOfTest(one, setting => !off.includes(setting));
    assert.equal(range(), undefined);
    assert.equal(range('testing.gutterEnabled'), one.range);
    // Without the marks the editor's icons are welcome.
    assert.equal(range('stubborn.gutter.enabled'), one.range);
    assert.equal(rangeOfTest(undefined, () => false), undefined);
});

test('the line at the foot of the window is about the text behind a trace or a state graph that is in front', () => {
    assert.equal(inSight('here.stb', 'before.stb', undefined), 'here.stb');
    for (const panel of [TRACE_PANEL, PICTURE_PANEL]) {
        assert.equal(inSight(undefined, 'before.stb', panel), 'before.stb');
        assert.equal(inSight(undefined, 'before.stb', `mainThreadWebview-${panel}`), 'before.stb');
    }
    // Nothing is known of what other panels tell of, nor what there is where there is none.
    assert.equal(inSight(undefined, 'before.stb', 'mainThreadWebview-markdown.preview'), undefined);
    assert.equal(inSight(undefined, 'before.stb', undefined), undefined);
    assert.equal(inSight(undefined, undefined, PICTURE_PANEL), undefined);
});

test('a file is summed up in a few words', () => {
    const violated = property('c', { state: 'violated', right: false });
    assert.equal(summary([property('a'), violated]), '1 violated, 1 holds');
    assert.equal(summary([property('a'), property('b')]), '2 hold');
    assert.equal(summary([]), '');
});

test('numbers are short where there is little room', () => {
    assert.deepEqual([0, 999, 1000, 12_345, 9_990_000, 1_234_567_890].map(short), ['0', '999', '1.0 k', '12 k', '10.0 M', '1.2 G']);
});

test('values of a parameter are numbers and ranges within its own', () => {
    assert.deepEqual(valuesOf('4, 6..8,4', 2, 10), [4, 6, 7, 8]);
    assert.deepEqual(valuesOf('-1', -3, 3), [-1]);
    assert.match(String(valuesOf('x', 0, 9)), /neither a number nor a range/);
    assert.match(String(valuesOf('', 0, 9)), /neither/);
    assert.match(String(valuesOf('3..2', 0, 9)), /no values/);
    assert.match(String(valuesOf('1..10', 0, 9)), /those of 0\.\.9/);
    assert.match(String(valuesOf('0..99999999', 0, 999_999_999)), /at most/);
});

test('a server of another version is told of, with what to do', () => {
    assert.equal(mismatch('/s', '0.1.0', PROTOCOL), undefined);
    assert.match(mismatch('/s', '9.0.0', PROTOCOL + 1) ?? '', /newer than this extension.*Update the extension/);
    assert.match(mismatch('/s', '0.0.1', PROTOCOL - 1) ?? '', /older than this extension needs.*Update the server/);
    assert.match(mismatch('/s', undefined, undefined) ?? '', /version unknown.*does not say which protocol/);
});
