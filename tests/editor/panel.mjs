/** The page of the panel, which is a frame within a frame; and what a person sees of it. */
export function panelOf(editor) {
    const page = editor.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    return {
        page,
        steps: page.locator('#steps'),
        selected: page.locator('.step.selected'),
        where: page.locator('#where'),
        told: page.locator('#told'),
        value: name => page.locator('.variable', { has: editor.page.locator(`.name:text-is("${name}")`) }),
        async at(text) {
            await page.locator('#where', { hasText: text }).waitFor();
        },
    };
}
