import { openByLens } from './panel.mjs';
import { editorTest } from './session.mjs';

editorTest('over each property stands how it stands, and the run is one click away', {}, async ({ open }) => {
    const editor = await open();
    const panel = await openByLens(editor, 'lock.stb', 'mutex');
    await panel.page.getByText('2 workers are in critical at once').first().waitFor();
    await editor.page.locator('.codelens-decoration').filter({ hasText: 'mutex: ✗ violated after 4 steps' }).waitFor();
});
