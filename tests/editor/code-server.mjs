// code-server: VS Code's own workbench, extension host and all, served to a browser.

import { execFile, spawn } from 'node:child_process';
import {
    cpSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    renameSync,
    rmSync,
    statSync,
    writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = fileURLToPath(new URL('.', import.meta.url));
const rig = process.env.EDITOR_RIG ?? join(here, '../../target/editor-rig');
const program = join(rig, 'code-server-4.100.3/node_modules/.bin/code-server');

/** Nothing but the editor and what the tests look at; no question, tip or network that gets in the way. */
const settings = {
    'workbench.startupEditor': 'none',
    'workbench.colorTheme': 'Default Light Modern',
    'workbench.enableExperiments': false,
    'workbench.tips.enabled': false,
    'workbench.activityBar.location': 'hidden',
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'workbench.layoutControl.enabled': false,
    'workbench.editor.editorActionsLocation': 'hidden',
    'window.commandCenter': false,
    'window.dialogStyle': 'custom',
    'breadcrumbs.enabled': false,
    'chat.commandCenter.enabled': false,
    'telemetry.telemetryLevel': 'off',
    'extensions.autoUpdate': false,
    'extensions.autoCheckUpdates': false,
    'extensions.ignoreRecommendations': true,
    'git.enabled': false,
    // In a browser VS Code saves by itself, unless it is told not to.
    'files.autoSave': 'off',
    'editor.fontSize': 13,
    'editor.hover.above': false,
    'editor.minimap.enabled': false,
    'editor.scrollBeyondLastLine': false,
    'editor.renderLineHighlight': 'none',
    'editor.guides.indentation': false,
};

/**
 * Starts a code-server of its own: a fresh profile with the extension installed from its package,
 * on a free port, on a fresh copy of the fixtures. With `trust` the editor asks whether a workspace
 * is to be trusted, as it does at a user's, and trusts none. `prepare` is given the copy of the
 * fixtures before the editor starts, and returns the settings of the workspace. `user` are settings of the
 * user's beyond those above.
 */
export async function startCodeServer({ vsix, trust = false, prepare = () => ({}), user = {} }) {
    const home = mkdtempSync(join(tmpdir(), 'stubborn-editor-'));
    const data = join(home, 'data');
    const folder = join(home, 'models');
    cpSync(join(here, 'fixtures'), folder, { recursive: true });
    mkdirSync(join(folder, '.vscode'));
    writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify(prepare(folder)));
    mkdirSync(join(data, 'User'), { recursive: true });
    writeFileSync(
        join(data, 'User', 'settings.json'),
        JSON.stringify({
            ...settings,
            'security.workspace.trust.enabled': trust,
            'security.workspace.trust.startupPrompt': 'never',
            'security.workspace.trust.banner': 'never',
            ...user,
        }),
    );
    writeFileSync(join(home, 'config.yaml'), 'bind-addr: 127.0.0.1:0\nauth: none\ncert: false\n');
    const env = {
        ...process.env,
        HOME: home,
        XDG_CONFIG_HOME: join(home, 'config'),
        XDG_DATA_HOME: join(home, 'share'),
        XDG_CACHE_HOME: join(home, 'cache'),
    };
    const profile = ['--config', join(home, 'config.yaml'), '--user-data-dir', data, '--extensions-dir', join(home, 'extensions')];

    cpSync(await installed(vsix, env), join(home, 'extensions'), { recursive: true });
    const options = ['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'];
    if (!trust) {
        options.push('--disable-workspace-trust');
    }
    const server = spawn(program, [...profile, ...options], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        // A process group of its own, so that whatever it starts can be ended with it.
        detached: true,
    });
    const clearAway = () => {
        try {
            process.kill(-server.pid, 'SIGKILL');
        } catch {
            // Nothing of the group is left.
        }
        rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    };
    // A test that is interrupted leaves nothing behind either.
    process.once('exit', clearAway);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
        process.once(signal, () => process.exit(1));
    }
    const gone = new Promise(resolve => server.on('exit', resolve));
    const output = [];
    const url = await new Promise((resolve, reject) => {
        for (const stream of [server.stdout, server.stderr]) {
            createInterface({ input: stream }).on('line', line => {
                output.push(line);
                const address = /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
                if (address !== undefined) {
                    resolve(address);
                }
            });
        }
        server.on('error', reject);
        server.on('exit', code => reject(new Error(`code-server ended with ${code}:\n${output.join('\n')}`)));
    });

    return {
        url,
        folder,
        /** Where the extension under test was unpacked. */
        extension: readdirSync(join(home, 'extensions'), { withFileTypes: true })
            .filter(entry => entry.isDirectory() && entry.name.startsWith('stubborn.'))
            .map(entry => join(home, 'extensions', entry.name))[0],
        log: () => [...output, ...extensionLogs(join(data, 'logs'))].join('\n'),
        async stop() {
            server.kill('SIGTERM');
            await gone;
            process.off('exit', clearAway);
            clearAway();
        },
    };
}

/**
 * A folder with the extension of a package, installed once for all tests: that takes as long as starting
 * the editor.
 */
async function installed(vsix, env) {
    const { mtimeMs, size } = statSync(vsix);
    const folder = join(rig, 'installed', `${basename(vsix)}-${mtimeMs}-${size}`);
    if (!existsSync(folder)) {
        const scratch = mkdtempSync(join(rig, 'installing-'));
        const into = ['--user-data-dir', join(scratch, 'data'), '--extensions-dir', join(scratch, 'extensions')];
        await promisify(execFile)(program, [...into, '--install-extension', vsix], { env });
        // Without the list of what is installed where, which names this folder: the editor makes it anew.
        rmSync(join(scratch, 'extensions', 'extensions.json'), { force: true });
        mkdirSync(join(rig, 'installed'), { recursive: true });
        renameSync(join(scratch, 'extensions'), folder);
        rmSync(scratch, { recursive: true, force: true });
    }
    return folder;
}

/** What the extension and its server have written to their outputs. */
function extensionLogs(folder) {
    if (!existsSync(folder)) {
        return [];
    }
    return readdirSync(folder, { recursive: true })
        .filter(name => /stubborn[^/]*\.log$/i.test(name))
        .flatMap(name => [`--- ${name}`, readFileSync(join(folder, name), 'utf8')]);
}
