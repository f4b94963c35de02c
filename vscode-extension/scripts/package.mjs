// Builds the extension's package for a platform, with the server inside it, and checks the package.
//
//   npm run package                          for this platform; builds the server with cargo first
//   npm run package -- --target NAME         for another one, or for `web` (colours and snippets alone)
//   npm run package -- --all                 one for each platform, and the one for the web
//   npm run package -- --server FILE         takes this program for the server
//   npm run package -- --out FILE.vsix       where to; otherwise stubborn-PLATFORM.vsix in this folder
//
// The package of the machine that this runs on is built and tested (tests/editor). Those for others need
// Rust's target and a linker for it (`rustup target add …`), and nobody has tested them.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readPackage, readText } from './read-package.mjs';

const folder = resolve(new URL('..', import.meta.url).pathname);
const repository = join(folder, '..');
const host = `${process.platform}-${process.arch}`;

/** What Rust calls the machines of a marketplace's platforms. */
const targets = {
    'linux-x64': 'x86_64-unknown-linux-gnu',
    'linux-arm64': 'aarch64-unknown-linux-gnu',
    'darwin-x64': 'x86_64-apple-darwin',
    'darwin-arm64': 'aarch64-apple-darwin',
    'win32-x64': 'x86_64-pc-windows-msvc',
};
const WEB = 'web';

const { values: options } = parseArgs({
    options: {
        server: { type: 'string' },
        out: { type: 'string' },
        target: { type: 'string', default: host },
        all: { type: 'boolean', default: false },
    },
});

const web = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).repository.url.replace(/\.git$/, '');

const programOf = platform => (platform.startsWith('win32') ? 'stubborn.exe' : 'stubborn');

function run(command, args, cwd) {
    const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) {
        throw new Error(`${command} ${args[0]} failed${error === undefined ? '' : `: ${error.message}`}`);
    }
}

function buildServer(platform) {
    const foreign = platform === host ? [] : ['--target', targets[platform]];
    run('cargo', ['build', '--release', '--package', 'stubborn', ...foreign], repository);
    const metadata = execFileSync('cargo', ['metadata', '--format-version=1', '--no-deps'], { cwd: repository });
    return join(JSON.parse(metadata).target_directory, ...foreign.slice(1), 'release', programOf(platform));
}

function removeServer() {
    rmSync(join(folder, 'server'), { recursive: true, force: true });
}

function copyServer(from, platform) {
    const to = join(folder, 'server', programOf(platform));
    removeServer();
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

/** What needs no server, of what the package contributes. */
const CONTRIBUTED_TO_WEB = new Set(['configurationDefaults', 'grammars', 'languages', 'snippets']);

/** A copy of what is packed, which offers nothing that only a server could do. */
function copyForWeb() {
    const copy = mkdtempSync(join(tmpdir(), 'stubborn-web-'));
    const left = new Set(['node_modules', 'out-test', 'server', 'src', 'test'].map(name => join(folder, name)));
    cpSync(folder, copy, { recursive: true, filter: file => !left.has(file) && !file.endsWith('.vsix') });
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    delete manifest.main;
    manifest.activationEvents = ['onLanguage:plaintext'];
    manifest.categories = ['Programming Languages', 'Snippets'];
    manifest.contributes = Object.fromEntries(Object.entries(manifest.contributes).filter(([name]) => CONTRIBUTED_TO_WEB.has(name)));
    writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest, undefined, 2));
    return copy;
}

/** A package that lost its server, or its run bit on the way, installs without a word and then does nothing. */
async function check(out, platform, server) {
    const files = await readPackage(out);
    const wanted = [
        'package.json',
        'readme.md',
        'changelog.md',
        'LICENSE.txt',
        'language-configuration.json',
        'syntaxes/stubborn.tmLanguage.json',
        'snippets/stubborn.json',
        'icons/file-light.svg',
        'icons/file-dark.svg',
        'icons/gutter/holds.svg',
        'media/first-steps.stb',
        'media/walkthrough/open.md',
        'dist/extension.js',
        'dist/trace.js',
        'dist/trace.css',
        'dist/picture.js',
        'dist/picture.css',
        'dist/browser.js',
        'dist/NOTICES.txt',
    ];
    if (server !== undefined) {
        wanted.push(`server/${programOf(platform)}`);
    }
    const missing = wanted.filter(name => !files.has(`extension/${name}`));
    if (missing.length > 0) {
        throw new Error(`${out} lacks ${missing.join(', ')}`);
    }
    const readme = await readText(out, 'extension/readme.md');
    const lost = [...readme.matchAll(/\]\((https:[^)\s]+)\)/g)]
        .map(([, link]) => /^\/(?:raw|blob)\/HEAD\/([^#]*)/.exec(link.startsWith(web) ? link.slice(web.length) : '')?.[1])
        .filter(file => file !== undefined && !existsSync(join(repository, file)));
    if (lost.length > 0) {
        throw new Error(`the README in ${out} links to ${lost.join(', ')}, and there are no such files`);
    }
    const programs = [...files.keys()].filter(name => name.startsWith('extension/server/'));
    if (server === undefined) {
        if (programs.length > 0) {
            throw new Error(`${out} is for browsers, and has ${programs.join(', ')}`);
        }
        return;
    }
    const packed = files.get(`extension/server/${programOf(platform)}`);
    if (!platform.startsWith('win32') && (packed.mode & 0o111) !== 0o111) {
        throw new Error(`the server in ${out} may not be run: its mode is ${packed.mode.toString(8)}`);
    }
    const size = readFileSync(server).length;
    if (packed.size !== size) {
        throw new Error(`the server in ${out} has ${packed.size} bytes, and the program that was built has ${size}`);
    }
}

async function make(platform) {
    if (platform !== WEB && !(platform in targets)) {
        throw new Error(`there is no platform ${platform}: there are ${Object.keys(targets).join(', ')} and ${WEB}`);
    }
    const out = resolve(options.out ?? join(folder, `stubborn-${platform}.vsix`));
    let server;
    if (platform === WEB) {
        removeServer();
    } else {
        server = copyServer(options.server ?? buildServer(platform), platform);
        if (options.server === undefined && platform === host) {
            stripServer(server);
        }
    }
    const from = platform === WEB ? copyForWeb() : folder;
    // Links of the README are to files of this folder, which is not the repository's first.
    const links = ['--baseImagesUrl', `${web}/raw/HEAD/vscode-extension`, '--baseContentUrl', `${web}/blob/HEAD/vscode-extension`];
    run(join(folder, 'node_modules', '.bin', 'vsce'), ['package', '--no-dependencies', '--target', platform, '--out', out, ...links], from);
    if (from !== folder) {
        rmSync(from, { recursive: true });
    }
    await check(out, platform, server);
    const said = server === undefined ? 'without a server, for browsers' : 'with an executable server inside';
    console.log(`${out}: complete, ${said}${platform === host ? '' : ' (untested)'}`);
}

/** One after the other; what one platform lacks keeps no other from its package. */
async function makeAll() {
    const failed = [];
    for (const platform of [...Object.keys(targets), WEB]) {
        await make(platform).catch(error => failed.push(`${platform}: ${error.message}`));
    }
    if (failed.length > 0) {
        throw new Error(`not all were made:\n${failed.join('\n')}`);
    }
}

try {
    if (options.all && (options.out !== undefined || options.server !== undefined)) {
        throw new Error('--all makes packages of several programs: it takes neither --out nor --server');
    }
    writeLicence();
    run('npm', ['run', '--silent', 'build'], folder);
    await (options.all ? makeAll() : make(options.target));
} catch (error) {
    console.error(`No package was made: ${error.message}`);
    process.exitCode = 1;
}
