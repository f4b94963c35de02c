-- The story in Neovim, without a screen: what a person would type is typed, what they would see is
-- read. neovim-config.lua is its only configuration, the lines that the README shows; `stubborn` is
-- found in the PATH, as there. tests/clients/run.sh starts it in a fresh copy of the workspace:
--
--     CLIENTS=tests/clients nvim --headless -u neovim-config.lua -i NONE -n -S neovim.lua
--
-- Prints a line `ok neovim: …` or `not ok neovim: …` for each step of story.json.

local here = assert(vim.env.CLIENTS, 'CLIENTS names the folder of this script')
local story = vim.json.decode(table.concat(vim.fn.readfile(here .. '/story.json'), '\n'))
local DEADLINE = 1000 * tonumber(vim.env.DEADLINE or 60)
local began = vim.uv.now()

local function say(...)
  io.stdout:write(string.format(...), '\n')
  io.stdout:flush()
end

-- The story is a coroutine, so that Neovim's own loop goes on meanwhile: it takes what is typed.
local waiting -- for this to become true
local function wait_until(what, condition)
  waiting = { what = what, condition = condition }
  return coroutine.yield()
end

-- Where a piece of a line stands: its line and its first column, from 0, and the one after.
local function place(buffer, at)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, true)) do
    local from, to = line:find(at.line, 1, true)
    if from then
      local first = at.name and line:find(at.name, from, true) - 1 or from - 1
      return number - 1, first, at.name and first + #at.name or to
    end
  end
  error('no line has ' .. at.line)
end

-- What is told under a piece of a line.
local function told(buffer, at)
  local line, first, last = place(buffer, at)
  return vim.tbl_filter(function(one)
    return one.lnum == line and one.col == first and one.end_col == last
  end, vim.diagnostic.get(buffer))
end

local function is_error(one)
  return one.severity == vim.diagnostic.severity.ERROR
end

-- Is told of the text before: said so, and no more as an error.
local function is_stale(one)
  return not is_error(one) and vim.startswith(one.message, story.before)
end

local function has(found, what)
  return #vim.tbl_filter(what, found) > 0
end

local function text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\n')
end

local function show(buffer)
  vim.api.nvim_win_set_buf(0, buffer)
end

local function put_cursor(buffer, line, column)
  show(buffer)
  vim.api.nvim_win_set_cursor(0, { line + 1, column })
end

-- Types keys, and waits until they were taken.
local function type(keys, what, condition)
  vim.api.nvim_input(keys)
  wait_until(what, condition)
end

local function idle()
  return vim.api.nvim_get_mode().mode == 'n'
end

-- Shows the hover at a place as `K` does, gives its text and closes it.
local function hover(buffer, at)
  local line, first = place(buffer, at)
  put_cursor(buffer, line, first)
  local window
  type('K', 'the hover on ' .. at.name, function()
    for _, one in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(one).relative ~= '' then
        window = one
        return true
      end
    end
  end)
  local shown = text(vim.api.nvim_win_get_buf(window))
  vim.api.nvim_win_close(window, true)
  return shown
end

local function contains(shown, wanted)
  assert(shown:find(wanted, 1, true), ('%q is not in:\n%s'):format(wanted, shown))
end

-- What Neovim's client wrote down.
local function log()
  local file = vim.lsp.get_log_path()
  return vim.fn.filereadable(file) == 1 and vim.fn.readfile(file) or {}
end

local model, tester, client, ended
local asked = 0 -- how often the server wanted to know the settings

local function both_are_violated()
  return has(told(model, story.violated), is_error)
    and has(told(tester, story.violated_by_tester), is_error)
    and not has(told(model, story.violated), is_stale)
    and not has(told(tester, story.violated_by_tester), is_stale)
end

local steps = {}

function steps.open()
  vim.cmd.edit(story.model)
  model = vim.api.nvim_get_current_buf()
  vim.cmd.edit(story.tester)
  tester = vim.api.nvim_get_current_buf()
  assert(vim.bo[model].filetype == 'stubborn' and vim.bo[tester].filetype == 'stubborn')
  wait_until('the violations', both_are_violated)
  assert(#told(model, story.holding) == 0, vim.inspect(told(model, story.holding)))
  client = vim.lsp.get_clients({ name = 'stubborn' })[1]
  assert(#vim.lsp.get_clients() == 1, 'one server for both files')
end

function steps.hover()
  local shown = hover(model, story.violated)
  contains(shown, 'violated')
  for _, part in ipairs(story.trace) do
    contains(shown, part)
  end
  contains(hover(model, story.holding), 'holds')
end

function steps.mistake()
  local line, _, last = place(model, { line = story.mistake.line, name = story.mistake.right })
  put_cursor(model, line, last - #story.mistake.right)
  type('cw' .. story.mistake.wrong .. '<Esc>', 'what was typed', function()
    return idle() and not text(model):find(story.mistake.line, 1, true)
  end)
  local wrong = { line = 'await not ' .. story.mistake.wrong, name = story.mistake.wrong }
  wait_until('the mistake', function()
    return has(told(model, wrong), is_error)
  end)
  wait_until('what was found before', function()
    return has(told(model, story.violated), is_stale)
      and has(told(tester, story.violated_by_tester), is_stale)
  end)
  assert(not has(told(model, story.violated), is_error), 'the old verdict is told of the new text')
end

function steps.completion()
  if not client:supports_method('textDocument/completion') then
    return 'not offered'
  end
  local line, first = place(model, { line = 'await not ' .. story.mistake.wrong, name = story.mistake.wrong })
  put_cursor(model, line, first + #story.mistake.wrong - 1)
  local offered
  -- Neovim offers it as the omni completion of every buffer that a server attends to.
  type('a<C-x><C-o>', 'the menu, or the only word in it', function()
    offered = vim.tbl_map(function(item) return item.word end, vim.fn.complete_info({ 'items' }).items)
    return #offered > 0
  end)
  assert(vim.tbl_contains(offered, story.mistake.right), vim.inspect(offered))
  type('<C-e><Esc>', 'the text as it was', idle)
end

local function put_right_by_hand()
  local line, first = place(model, { line = 'await not ' .. story.mistake.wrong, name = story.mistake.wrong })
  put_cursor(model, line, first)
  type('cw' .. story.mistake.right .. '<Esc>', 'what was typed', function()
    return idle() and text(model):find(story.mistake.line, 1, true)
  end)
  wait_until('what was found', both_are_violated)
end

function steps.fix()
  if not client:supports_method('textDocument/codeAction') then
    put_right_by_hand()
    return 'not offered'
  end
  local line, first = place(model, { line = 'await not ' .. story.mistake.wrong, name = story.mistake.wrong })
  put_cursor(model, line, first)
  vim.lsp.buf.code_action({
    apply = true,
    context = { only = { 'quickfix' } },
    filter = function(action) return action.title:find(story.mistake.right, 1, true) ~= nil end,
  })
  wait_until('the right name', function()
    return text(model):find(story.mistake.line, 1, true)
  end)
  wait_until('what was found', both_are_violated)
end

function steps.rename()
  if not client:supports_method('textDocument/rename') then
    return 'not offered'
  end
  local renamed = story.renamed
  local line, first = place(model, { line = renamed.line, name = renamed.from })
  put_cursor(model, line, first)
  vim.lsp.buf.rename(renamed.to)
  wait_until('the new name in both files', function()
    local function times(buffer, name) return select(2, text(buffer):gsub('%f[%w_]' .. name .. '%f[^%w_]', '')) end
    return times(model, renamed.to) == renamed.in_model and times(tester, renamed.to) == renamed.in_tester
      and times(model, renamed.from) + times(tester, renamed.from) == 0
  end)
  -- A name changes nothing that was found.
  wait_until('what was found', both_are_violated)
end

function steps.save()
  local line, first = place(model, { line = story.mended.gone:gsub('\n', '') })
  put_cursor(model, line, first)
  type('dd', 'a line less', function() return not text(model):find(story.mended.gone, 1, true) end)
  local old = story.mended.line
  line, first = place(model, { line = old })
  put_cursor(model, line, first)
  type('C' .. story.mended.to .. '<Esc>', 'what was typed', function()
    return idle() and text(model):find(story.mended.to, 1, true)
  end)
  vim.cmd.wall()
  wait_until('nothing wrong', function()
    return #told(model, story.violated) == 0 and #told(tester, story.violated_by_tester) == 0
      and not has(vim.diagnostic.get(), is_error)
  end)
  contains(hover(model, story.violated), 'holds')
  contains(hover(tester, story.violated_by_tester), 'holds')
end

function steps.cancel()
  local answers = 0
  local function ask(taken_back)
    local line, first = place(model, story.violated)
    local sent, id = client:request('textDocument/hover', {
      textDocument = { uri = vim.uri_from_bufnr(model) },
      position = { line = line, character = first },
    }, function(failed, answer)
      assert(taken_back or (not failed and answer), vim.inspect(failed))
      if not taken_back then answers = answers + 1 end
    end, model)
    assert(sent)
    if taken_back then assert(client:cancel_request(id)) end
  end
  for _ = 1, 20 do
    ask(true)
    ask(false)
  end
  wait_until('twenty answers', function() return answers == 20 end)
end

function steps.quit()
  client:stop()
  wait_until('the end of the server', function() return ended end)
  assert(ended.code == 0 and ended.signal == 0, vim.inspect(ended))
  -- And whatever the server said, Neovim understood.
  for _, line in ipairs(log()) do
    assert(not line:find('^%[ERROR%]'), line)
  end
  assert(asked <= story.asked_for_settings_at_most, asked .. ' times the server asked for the settings')
end

local function finish(status)
  for _, one in ipairs(vim.lsp.get_clients()) do
    one:stop(true)
  end
  vim.cmd.cquit({ count = status, bang = true })
end

local current, over
local function failed(why)
  over = true
  say('not ok neovim: %s: %s', story.steps[current], why)
  for _, one in ipairs(vim.diagnostic.get()) do
    say('  heard: %s:%d: %s', vim.fs.basename(vim.api.nvim_buf_get_name(one.bufnr)), one.lnum + 1, one.message)
  end
  for _, one in ipairs(vim.split(vim.fn.execute('messages'), '\n', { trimempty = true })) do
    say('  said: %s', one)
  end
  for _, one in ipairs(log()) do
    say('  log: %s', one)
  end
  for _, buffer in ipairs({ model, tester }) do
    say('  text: %s', text(buffer))
  end
  finish(1)
end

local telling = coroutine.create(function()
  vim.lsp.config('stubborn', {
    handlers = {
      ['workspace/configuration'] = function(...)
        asked = asked + 1
        return vim.lsp.handlers['workspace/configuration'](...)
      end,
    },
    on_exit = function(code, signal) ended = { code = code, signal = signal } end,
  })
  local order = { 'open', 'hover', 'mistake', 'completion', 'fix', 'rename', 'save', 'cancel', 'quit' }
  assert(#order == vim.tbl_count(story.steps))
  for _, step in ipairs(order) do
    current = step
    if steps[step]() == 'not offered' then
      assert(vim.tbl_contains(story.may_be_left_out, step), 'not offered')
      say('left out neovim: %s: not offered', story.steps[step])
    else
      say('ok neovim: %s', story.steps[step])
    end
  end
end)

-- Goes on with the story as soon as what it waits for is there.
local function go_on()
  if over then return end
  if waiting then
    local fine, there = pcall(waiting.condition)
    if not fine then return failed(there) end
    if not there then
      if vim.uv.now() - began > DEADLINE then failed('still waiting for ' .. waiting.what) end
      return
    end
    waiting = nil
  end
  local fine, why = coroutine.resume(telling)
  if not fine then
    failed(why)
  elseif coroutine.status(telling) == 'dead' then
    over = true
    finish(0)
  end
end

vim.uv.new_timer():start(0, 10, vim.schedule_wrap(go_on))
