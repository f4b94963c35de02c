vim.filetype.add({ extension = { stb = 'stubborn', tester = 'stubborn' } })
vim.lsp.config('stubborn', {
  cmd = { 'stubborn', 'lsp' },
  filetypes = { 'stubborn' },
  root_markers = { '.git' },
})
vim.lsp.enable('stubborn')
