import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { looksLikeOurs } from '../src/looks';

test('every tester file of the examples looks like ours, and every model', () => {
    const examples = path.join(process.cwd(), '..', 'examples');
    const files = fs.readdirSync(examples).filter(name => /\.(tester|stb)$/.test(name));
    assert.ok(files.length > 20);
    for (const name of files) {
        assert.ok(looksLikeOurs(fs.readFileSync(path.join(examples, name), 'utf8')), name);
    }
});

test('comments at the beginning are passed over', () => {
    assert.ok(looksLikeOurs('// one\n/* two\n */ /// three\n\nuse "model.stb"\n'));
    assert.ok(looksLikeOurs('invariant low: x < 3'));
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
        'process everything now\n',
        'var = 3\n',
        'import os\n',
        '#!/bin/sh\ntype ls\n',
    ];
    for (const text of others) {
        assert.ok(!looksLikeOurs(text), text);
    }
});

test('a long text is not gone through', () => {
    const start = performance.now();
    assert.ok(!looksLikeOurs(`${' '.repeat(1_000_000)}${'('.repeat(1_000_000)}`));
    assert.ok(!looksLikeOurs(`process ${'a'.repeat(1_000_000)}`));
    assert.ok(performance.now() - start < 1000);
});
