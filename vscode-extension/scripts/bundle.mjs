// Bundles the extension into dist/extension.js, and the part of it that runs in a browser into
// dist/browser.js; or with --tests the unit tests into out-test/.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const folder = resolve(new URL('..', import.meta.url).pathname);
const common = {
    absWorkingDir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    logLevel: 'warning',
};

if (process.argv.includes('--tests')) {
    rmSync(join(folder, 'out-test'), { recursive: true, force: true });
    await build({
        ...common,
        entryPoints: readdirSync(join(folder, 'test')).filter(name => name.endsWith('.test.ts')).map(name => `test/${name}`),
        packages: 'external',
        sourcemap: 'inline',
        outdir: 'out-test',
    });
} else {
    const { metafile } = await build({
        ...common,
        entryPoints: ['src/extension.ts'],
        external: ['vscode'],
        minify: true,
        legalComments: 'none',
        metafile: true,
        outfile: 'dist/extension.js',
    });
    // The pages run in a browser.
    const pages = await build({
        ...common,
        entryPoints: { trace: 'src/webview/page.ts', picture: 'src/webview/picture.ts' },
        metafile: true,
        platform: 'browser',
        target: 'es2022',
        format: 'iife',
        minify: true,
        legalComments: 'none',
        outdir: 'dist',
    });
    await build({ ...common, entryPoints: { trace: 'src/webview/page.css', picture: 'src/webview/picture.css' }, minify: true, outdir: 'dist' });
    await build({
        ...common,
        entryPoints: ['src/browser.ts'],
        external: ['vscode'],
        platform: 'browser',
        target: 'es2022',
        minify: true,
        outfile: 'dist/browser.js',
    });
    writeFileSync(join(folder, 'dist', 'NOTICES.txt'), notices([...Object.keys(metafile.inputs), ...Object.keys(pages.metafile.inputs)]));
}

/** The licences of the packages that these bundled files come from; they ask to travel with them. */
function notices(files) {
    const packages = new Set(files.flatMap(file => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
    const texts = [...packages].sort().map(name => {
        const { name: title, version, license } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'));
        const text = readdirSync(join(folder, name)).find(file => /^licen[cs]e/i.test(file));
        if (text === undefined) {
            throw new Error(`${title} ${version} comes without the text of its licence`);
        }
        return `${title} ${version} (${license})\n\n${readFileSync(join(folder, name, text), 'utf8').trim()}\n`;
    });
    return `The extension contains these packages.\n\n${texts.join(`\n${'-'.repeat(78)}\n\n`)}`;
}
