import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';

interface Setting {
    scope: string;
    default: unknown;
}

const manifest = JSON.parse(fs.readFileSync(path.join(process.cwd(), 'package.json'), 'utf8'));
const settings: Record<string, Setting> = manifest.contributes.configuration.properties;

test('no workspace can let a model use files from outside of it', () => {
    const setting = settings['stubborn.files.outsideWorkspace'];
    assert.equal(setting?.scope, 'machine');
    assert.equal(setting?.default, false);
});

test('no workspace decides what is kept of verdicts', () => {
    assert.equal(settings['stubborn.cache.enabled']?.scope, 'machine');
    assert.equal(settings['stubborn.cache.size']?.scope, 'machine');
});
