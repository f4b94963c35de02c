import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';

const read = (name: string) => fs.readFileSync(path.join(process.cwd(), name), 'utf8');
const manifest = JSON.parse(read('package.json'));

interface Named {
    command: string;
}

test('a marketplace gets what it asks for', () => {
    for (const field of ['repository', 'bugs', 'homepage', 'icon', 'categories', 'keywords', 'license', 'galleryBanner']) {
        assert.ok(manifest[field], field);
    }
    assert.match(read('CHANGELOG.md'), new RegExp(`^## ${manifest.version.replaceAll('.', '\\.')}$`, 'm'));
    const about = read('README.md');
    assert.match(about, /!\[[^\]]+\]\([^)]+\.png\)/);
    assert.match(about, /^## Features$/m);
    assert.match(about, /Nothing is collected/);
});

test('who gets a package that nobody has tried can read that it is untested', () => {
    const platforms = [...read('scripts/package.mjs').matchAll(/^ {4}'([a-z0-9]+-[a-z0-9]+)': '/gm)].map(([, name]) => name);
    assert.ok(platforms.length > 3);
    const rows = read('README.md').split('\n').filter(line => line.startsWith('| '));
    for (const platform of platforms) {
        const row = rows.find(line => line.includes(`\`${platform}\``));
        assert.match(row ?? '', platform === 'linux-x64' ? /tested with every change/ : /\*\*untested\*\*/, platform);
    }
    assert.match(read('CHANGELOG.md'), /untested/);
});

test('what menus, keys and the walkthrough name is a command, and each command has a title and an icon', () => {
    const { commands, menus, keybindings, walkthroughs } = manifest.contributes;
    const known = new Set(commands.map((one: Named) => one.command));
    const used: Named[] = [...keybindings, ...Object.values(menus).flat()] as Named[];
    for (const { command } of used) {
        assert.ok(known.has(command), command);
    }
    const links = JSON.stringify(walkthroughs).matchAll(/command:(stubborn\.[A-Za-z]+)/g);
    for (const [, command] of links) {
        assert.ok(known.has(command), command);
    }
    for (const one of commands) {
        assert.ok(one.title && one.category === 'Stubborn' && /^\$\(.+\)$/.test(one.icon), one.command);
    }
    const keys = keybindings.map((one: { key: string }) => one.key);
    assert.equal(new Set(keys).size, keys.length);
    // Desktops take these before any editor: a terminal, the lock of the screen, the desktop.
    for (const key of ['ctrl+alt+t', 'ctrl+alt+l', 'ctrl+alt+d']) {
        assert.ok(!keys.includes(key), key);
    }
});

test('the table of commands has each command and its key', () => {
    const { commands, keybindings, menus } = manifest.contributes;
    const hidden = new Set(menus.commandPalette.filter((one: { when: string }) => one.when === 'false').map((one: Named) => one.command));
    const table = read('README.md').split('## Commands')[1] ?? '';
    for (const { command, title } of commands.filter((one: Named) => !hidden.has(one.command))) {
        const row = table.split('\n').find(line => line.includes(`**${title.replace('…', '')}**`));
        assert.ok(row !== undefined, title);
        const key = keybindings.find((one: Named) => one.command === command)?.key.replaceAll('+', ' ') ?? '';
        for (const part of key.split(' ')) {
            assert.ok(row.toLowerCase().includes(part), `${title}: ${key}`);
        }
    }
});

test('the walkthrough has its texts, and a .tester file is ours by its content alone', () => {
    for (const step of manifest.contributes.walkthroughs[0].steps) {
        assert.ok(read(step.media.markdown).length > 100, step.id);
    }
    const [language] = manifest.contributes.languages;
    assert.deepEqual(language.extensions, ['.stb']);
    const first = new RegExp(language.firstLine);
    assert.ok(first.test('use "lock.stb"'));
    assert.ok(!first.test('use strict'));
});

test('every setting says what it does', () => {
    for (const [name, setting] of Object.entries<Record<string, unknown>>(manifest.contributes.configuration.properties)) {
        assert.ok(setting['description'] ?? setting['markdownDescription'], name);
    }
});
