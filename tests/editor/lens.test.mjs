import { editorTest } from './session.mjs';

editorTest('over each property stands how it stands, and the run is one click away', {}, async ({ open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');
    const lens = editor.page.locator('.codelens-decoration').filter({ hasText: 'mutex: ✗ violated after 4 steps' });
    await lens.getByText('show the run').click();
    await editor.page.locator('.tab').filter({ hasText: 'Trace of mutex' }).waitFor();
    const page = editor.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await page.getByText('2 workers are in critical at once').first().waitFor();
});
