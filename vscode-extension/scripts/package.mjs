// Builds the extension's package for this platform, with the server inside it, and checks the package.
//
//   npm run package                          builds the server with cargo first
//   npm run package -- --server FILE         takes this program for the server
//   npm run package -- --out FILE.vsix       where to; otherwise stubborn-PLATFORM.vsix in this folder

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readPackage } from './read-package.mjs';

const folder = resolve(new URL('..', import.meta.url).pathname);
const repository = join(folder, '..');
const platform = `${process.platform}-${process.arch}`;
const program = process.platform === 'win32' ? 'stubborn.exe' : 'stubborn';

const { values: options } = parseArgs({ options: { server: { type: 'string' }, out: { type: 'string' } } });
const out = resolve(options.out ?? join(folder, `stubborn-${platform}.vsix`));

function run(command, args, cwd) {
    const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) {
        throw new Error(`${command} ${args[0]} failed${error === undefined ? '' : `: ${error.message}`}`);
    }
}

function buildServer() {
    run('cargo', ['build', '--release', '--package', 'stubborn'], repository);
    const metadata = execFileSync('cargo', ['metadata', '--format-version=1', '--no-deps'], { cwd: repository });
    return join(JSON.parse(metadata).target_directory, 'release', program);
}

function copyServer(from) {
    const to = join(folder, 'server', program);
    rmSync(join(folder, 'server'), { recursive: true, force: true });
    mkdirSync(join(folder, 'server'));
    copyFileSync(from, to);
    chmodSync(to, 0o755);
    return to;
}

/** Leaves out what only a debugger needs, most of the program's size; names stay for a report of a crash. */
function stripServer(file) {
    const { error } = spawnSync('strip', ['-S', file], { stdio: ['ignore', 'inherit', 'inherit'] });
    if (error !== undefined) {
        console.warn(`The server keeps what debuggers need, and its size: ${error.message}`);
    }
}

function writeLicence() {
    const texts = ['LICENSE-MIT', 'LICENSE-APACHE'].map(name => readFileSync(join(repository, name), 'utf8').trim());
    const rule = `\n\n${'-'.repeat(78)}\n\n`;
    writeFileSync(
        join(folder, 'LICENSE.txt'),
        `Stubborn may be used under either of these two licences, as you choose.${rule}${texts.join(rule)}\n`,
    );
}

/** A package that lost its server, or its run bit on the way, installs without a word and then does nothing. */
async function check(server) {
    const files = await readPackage(out);
    const wanted = [
        'package.json',
        'readme.md',
        'LICENSE.txt',
        'language-configuration.json',
        'syntaxes/stubborn.tmLanguage.json',
        'icons/file-light.svg',
        'icons/file-dark.svg',
        'dist/extension.js',
        'dist/NOTICES.txt',
        `server/${program}`,
    ];
    const missing = wanted.filter(name => !files.has(`extension/${name}`));
    if (missing.length > 0) {
        throw new Error(`${out} lacks ${missing.join(', ')}`);
    }
    const packed = files.get(`extension/server/${program}`);
    if (process.platform !== 'win32' && (packed.mode & 0o111) !== 0o111) {
        throw new Error(`the server in ${out} may not be run: its mode is ${packed.mode.toString(8)}`);
    }
    const size = readFileSync(server).length;
    if (packed.size !== size) {
        throw new Error(`the server in ${out} has ${packed.size} bytes, and the program that was built has ${size}`);
    }
}

try {
    const server = copyServer(options.server ?? buildServer());
    if (options.server === undefined) {
        stripServer(server);
    }
    writeLicence();
    run('npm', ['run', '--silent', 'build'], folder);
    const vsce = join(folder, 'node_modules', '.bin', 'vsce');
    run(vsce, ['package', '--no-dependencies', '--allow-missing-repository', '--target', platform, '--out', out], folder);
    await check(server);
    console.log(`${out}: complete, with an executable server inside`);
} catch (error) {
    console.error(`No package was made: ${error.message}`);
    process.exitCode = 1;
}
