import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { looksLikeOurs } from '../src/looks';

/** Texts that the server is held to as well, which takes the tester files of a workspace for ours or leaves them alone. */
const texts = JSON.parse(fs.readFileSync(path.join(process.cwd(), 'test', 'looks.json'), 'utf8')) as {
    readonly ours: readonly string[];
    readonly maybe: readonly string[];
    readonly others: readonly string[];
};

test('every tester file of the examples looks like ours', () => {
    const examples = path.join(process.cwd(), '..', 'examples');
    const files = fs.readdirSync(examples).filter(name => name.endsWith('.tester'));
    assert.ok(files.length > 6);
    for (const name of files) {
        assert.ok(looksLikeOurs(fs.readFileSync(path.join(examples, name), 'utf8')), name);
    }
});

test('forms that nobody else has are ours by themselves', () => {
    for (const text of texts.ours) {
        assert.ok(looksLikeOurs(text), text);
    }
});

test('what others begin with as well is ours where the text uses a model', () => {
    for (const text of texts.maybe) {
        assert.ok(!looksLikeOurs(`${text}\n`), text);
        assert.ok(looksLikeOurs(`${text}\nuse "lock.stb"\n`), text);
        assert.ok(!looksLikeOurs(`${text}\nuse strict;\n// use "lock.stb"\n`), text);
    }
});

test('the files of other programs do not look like ours', () => {
    for (const text of texts.others) {
        assert.ok(!looksLikeOurs(text), text);
    }
});

test('a long text is not gone through', () => {
    const start = performance.now();
    assert.ok(!looksLikeOurs(`${' '.repeat(1_000_000)}${'('.repeat(1_000_000)}`));
    assert.ok(!looksLikeOurs(`process ${'a'.repeat(1_000_000)}`));
    assert.ok(!looksLikeOurs(`tester ${'a'.repeat(1_000_000)}`));
    assert.ok(!looksLikeOurs(`invariant a(${'('.repeat(1_000_000)}`));
    assert.ok(!looksLikeOurs(`invariant a(${'(b'.repeat(1_000_000)}`));
    assert.ok(!looksLikeOurs(`invariant a(${'(b)'.repeat(1_000_000)}`));
    assert.ok(!looksLikeOurs(`var\n${'use "'.repeat(200_000)}`));
    assert.ok(!looksLikeOurs(`var x\n${'use "a.'.repeat(20)}\n`.repeat(10_000)));
    assert.ok(performance.now() - start < 1000);
});
