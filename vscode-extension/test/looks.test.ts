import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { looksLikeOurs } from '../src/looks';

test('every tester file of the examples looks like ours', () => {
    const examples = path.join(process.cwd(), '..', 'examples');
    const files = fs.readdirSync(examples).filter(name => name.endsWith('.tester'));
    assert.ok(files.length > 6);
    for (const name of files) {
        assert.ok(looksLikeOurs(fs.readFileSync(path.join(examples, name), 'utf8')), name);
    }
});

test('comments at the beginning are passed over', () => {
    assert.ok(looksLikeOurs('// one\n/* two\n */ /// three\n\nuse "model.stb"\n'));
    assert.ok(looksLikeOurs('invariant low: x < 3'));
});

test('forms that nobody else has are ours by themselves', () => {
    const ours = [
        'use "lock.stb"',
        'use "../others/lock.tester"\n',
        'tester turns(i in 0..1) { initial state s { on enter(i) -> s } }',
        'tester turns(i in 0..f(2), j in Id where i < g(j)) {\n    visible enter(i)\n',
        'tester turns {\n    // Of everybody.\n    visible enter\n',
        'specification fifo {\n    var n: 0..2\n',
        'buchi dark {\n    observe on_now = lit\n',
        'testing dark {\n    observe on_now = lit\n',
        'invariant low: x < 3',
        'invariant low(i in 0..3): x < i',
        'ltl fed: always eventually x == 1',
        'progress comes: may x == 1',
        'progress comes(i in Id): must x == i',
        'recurrence served: infinitely ask implies infinitely serve',
        'refines fifo in infinite traces',
        'expect violated: mutex, access(2)\nuse "lock.stb"\n',
    ];
    for (const text of ours) {
        assert.ok(looksLikeOurs(text), text);
    }
});

test('what others begin with as well is ours where the text uses a model', () => {
    const begins = [
        'const LIMIT = 3',
        'type Id = 0..3',
        'enum Lamp { red, green }',
        'def low: x < 3',
        'reachable low: x < 3',
        'fair served: serve(0)',
        'strongly fair served: serve(0)',
        // These belong to a model, and a person is told so.
        'termination not required',
        'process p(i in 0..f(2)) { skip }',
        'var x: 0..3',
    ];
    for (const text of begins) {
        assert.ok(!looksLikeOurs(`${text}\n`), text);
        assert.ok(looksLikeOurs(`${text}\nuse "lock.stb"\n`), text);
        assert.ok(!looksLikeOurs(`${text}\nuse strict;\n// use "lock.stb"\n`), text);
    }
});

test('the files of other programs do not look like ours', () => {
    const others = [
        '',
        '// nothing but a comment',
        '/* without an end',
        'use strict;\n',
        'use Test::More;\n',
        'use "lib.pl";\n',
        '{"tester": {"process": 1}}',
        '<tester name="a"/>',
        '[tester]\nprocess = x\n',
        'tester: everything\n',
        'tester unit {\n    run everything\n}\n',
        'specification draft {\n    title: x\n}\n',
        'testing all { }\n',
        'process everything now\n',
        'process main {\n    exec: run\n}\n',
        'progress download: 30%\n',
        'recurrence backup: daily\n',
        'refines nothing\n',
        'expect(1).toBe(1)\n',
        'var = 3\n',
        'var x = 3\n',
        "const assert = require('assert');\ndescribe('x', () => {});\n",
        'const N: usize = 3;\n',
        'type Foo = string;\n',
        'enum Foo {\n    A,\n}\n',
        'action deploy:\n    run x\n',
        'fair share: 1\n',
        'import os\n',
        '#!/bin/sh\ntype ls\n',
        'say("use");\nuse "lock.stb"\n',
    ];
    for (const text of others) {
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
