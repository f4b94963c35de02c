-- A session of `stubborn dap` in Neovim with nvim-dap (https://codeberg.org/mfussenegger/nvim-dap), set up with the lines
-- that docs/stepping.md shows: along a run that violates a property, forwards and backwards, with values read.
-- tests/clients/run.sh starts it in a fresh copy of the workspace where NVIM_DAP names a copy of nvim-dap:
--
--     NVIM_DAP=FOLDER CLIENTS=tests/clients nvim --headless -u NONE -i NONE -n -S neovim-dap.lua
--
-- Prints a line `ok nvim-dap: …` or `not ok nvim-dap: …` for each step.

vim.opt.runtimepath:append(assert(vim.env.NVIM_DAP, 'NVIM_DAP names a copy of nvim-dap'))
vim.filetype.add({ extension = { stb = 'stubborn', tester = 'stubborn' } })
local dap = require('dap')
local DEADLINE = 1000 * tonumber(vim.env.DEADLINE or 60)

-- What the page has, between its fences of Lua.
local page = table.concat(vim.fn.readfile(vim.env.CLIENTS .. '/../../docs/stepping.md'), '\n')
assert(load(assert(page:match('```lua\n(.-)```'))))()

local function say(...)
  io.stdout:write(string.format(...), '\n')
  io.stdout:flush()
end

local failed = false
local function step(what, is_so)
  -- Neovim's own loop goes on meanwhile.
  local ok = vim.wait(DEADLINE, is_so, 20)
  failed = failed or not ok
  say('%s nvim-dap: %s', ok and 'ok' or 'not ok', what)
  if not ok then
    vim.cmd('cquit 1')
  end
end

local stops = 0
dap.listeners.after.event_stopped['test'] = function()
  stops = stops + 1
end

-- Whether the session has stopped once more since `before`, and shows a frame.
local function stopped(before)
  local session = dap.session()
  return stops > before and session and session.stopped_thread_id and session.current_frame ~= nil
end

-- What an expression comes to in the frame that is shown.
local function value(expression)
  local answer
  local session = dap.session()
  session:request('evaluate', {
    expression = expression,
    context = 'watch',
    frameId = session.current_frame and session.current_frame.id,
  }, function(problem, result)
    answer = result and result.result or problem and problem.message
  end)
  vim.wait(DEADLINE, function()
    return answer ~= nil
  end, 10)
  return answer
end

local function press(button)
  local before = stops
  button()
  return function()
    return stopped(before)
  end
end

vim.cmd.edit('lock.stb')
local first = vim.tbl_filter(function(one)
  return one.name == 'Step through a violation'
end, dap.configurations.stubborn)[1]
step('a session begins where the run does', press(function()
  dap.run(first)
end))
step('a value is read', function()
  return value('taken') == 'false'
end)
local steps = 0
step('the run is gone along to the state that violates the property', function()
  while value('count(i in Id: worker(i)@critical)') ~= '2' and steps < 20 do
    steps = steps + 1
    if not vim.wait(DEADLINE, press(dap.step_into), 10) then
      return false
    end
  end
  return steps > 4 and steps < 20
end)
local before = stops
dap.step_back()
step('a step is taken back', function()
  return stopped(before) and value('count(i in Id: worker(i)@critical)') == '1'
end)
step('a thread is shown for each instance, at the line where it is', function()
  local threads = dap.session().threads
  return #vim.tbl_values(threads) == 2 and dap.session().current_frame.line > 8
end)
before = stops
dap.restart()
step('it begins again', function()
  return stopped(before) and value('taken') == 'false' and value('worker(0)@critical') == 'false'
end)
dap.terminate()
step('it ends', function()
  return dap.session() == nil
end)
vim.cmd(failed and 'cquit 1' or 'qall!')
