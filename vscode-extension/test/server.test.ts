import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { findServer, type Surroundings } from '../src/server';

const NAME = process.platform === 'win32' ? 'stubborn.exe' : 'stubborn';

let folder: string;
let surroundings: Surroundings;

beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'find-server-'));
    surroundings = {
        configured: '',
        extensionFolder: path.join(folder, 'extension'),
        searchPath: [path.join(folder, 'first'), path.join(folder, 'second')].join(path.delimiter),
        home: path.join(folder, 'home'),
    };
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Puts a file where the test wants one, executable unless it says otherwise. */
function put(name: string, mode = 0o755): string {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, '', { mode });
    return file;
}

function find(changes: Partial<Surroundings> = {}): string {
    const search = findServer({ ...surroundings, ...changes });
    return search.found ? search.program : search.problem;
}

test('the server inside the extension comes before one on the PATH', () => {
    put(`second/${NAME}`);
    const bundled = put(`extension/server/${NAME}`);
    assert.equal(find(), bundled);
});

test('the server that the setting names comes before all others', () => {
    put(`extension/server/${NAME}`);
    const own = put('my tools/checker');
    assert.equal(find({ configured: own }), own);
});

test('the first server on the PATH is taken where the extension has none', () => {
    put(`second/${NAME}`);
    assert.equal(find(), path.join(folder, 'second', NAME));
    put(`first/${NAME}`);
    assert.equal(find(), path.join(folder, 'first', NAME));
});

test('the setting may begin with the home folder, and white space around it does not count', () => {
    const own = put('home/bin/checker');
    assert.equal(find({ configured: ' ~/bin/checker ' }), own);
});

test('a setting of white space counts as empty', () => {
    const bundled = put(`extension/server/${NAME}`);
    assert.equal(find({ configured: '  ' }), bundled);
});

test('a setting that names no file is a problem even where another server could be started', () => {
    put(`extension/server/${NAME}`);
    assert.match(find({ configured: path.join(folder, 'gone') }), /stubborn\.server\.path names .*gone, and there is no such file/);
});

test('a setting that names a folder is a problem', () => {
    fs.mkdirSync(path.join(folder, 'bin'));
    assert.match(find({ configured: path.join(folder, 'bin') }), /not a program that may be run/);
});

test('a relative setting is a problem, since it would be looked up in the workspace', () => {
    assert.match(find({ configured: `bin/${NAME}` }), /not an absolute path/);
});

test('an entry of the PATH that is not absolute is passed over, since it would be looked up in the workspace', () => {
    put(`workspace/${NAME}`);
    const before = process.cwd();
    process.chdir(path.join(folder, 'workspace'));
    try {
        assert.match(find({ searchPath: ['.', '', 'bin'].join(path.delimiter) }), /was not found/);
    } finally {
        process.chdir(before);
    }
});

test('where no server is found, the message says what can be done', () => {
    const message = find();
    assert.match(message, /there is none inside this extension, and none is on the PATH/);
    assert.match(message, /Install the extension for your platform, put the program on the PATH, or name it in the setting/);
});

test('a file on the way that may not be run is not taken for the server', { skip: process.platform === 'win32' }, () => {
    put(`extension/server/${NAME}`, 0o644);
    put(`first/${NAME}`, 0o644);
    assert.match(find(), /the file inside this extension, .*, may not be run/);
    const second = put(`second/${NAME}`);
    assert.equal(find(), second);
});
