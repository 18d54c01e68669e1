-- reference.lua -- pandoc's filter that writes a page of the Reference from what the tool prints, before page.lua.
--   -M tool=FILE   the tool
--   -M man=FOLDER  its manual pages
--   -M kind=KIND   commands, topics, or a list of `delassus list`
-- SPDX-License-Identifier: GPL-3.0-or-later

local tool, kind, man

local function printed(...)
  return pandoc.pipe(tool, {...}, '')
end

local function lines_of(text)
  return text:gsub('\n$', ''):gmatch('([^\n]*)\n?')
end

local function header(level, text, identifier)
  return pandoc.Header(level, {pandoc.Str(text)}, pandoc.Attr(identifier or ''))
end

local function cell(inline)
  return {pandoc.Plain({inline})}
end

--- rows of texts as a table, the first column as code, with links to entries
local function table_of(head, rows, linked)
  local aligns, widths, heads, bodies = {}, {}, {}, {}
  for i, title in ipairs(head) do
    aligns[i], widths[i], heads[i] = pandoc.AlignDefault, 0, cell(pandoc.Str(title))
  end
  for _, row in ipairs(rows) do
    local name = pandoc.Code(row[1])
    local cells = {cell(linked and pandoc.Link({name}, '#' .. row[1]) or name)}
    for i = 2, #head do
      cells[i] = cell(pandoc.Str(row[i]))
    end
    bodies[#bodies + 1] = cells
  end
  return pandoc.utils.from_simple_table(pandoc.SimpleTable({}, aligns, widths, heads, bodies))
end

--- lines in columns, the first of which are their titles; a line without a first column continues the one above
local function columns(lines)
  local head, starts = {}, {}
  for start, title in lines[1]:gmatch('()(%S+)') do
    head[#head + 1], starts[#starts + 1] = title, start
  end
  local rows = {}
  for i = 2, #lines do
    local continued = lines[i]:sub(starts[1], starts[1]):match('^%s?$')
    local row = continued and rows[#rows] or {}
    for c, start in ipairs(starts) do
      local text = lines[i]:sub(start, (starts[c + 1] or #lines[i] + 1) - 1):match('^%s*(.-)%s*$')
      row[c] = continued and text ~= '' and row[c] .. ' ' .. text or row[c] or text
    end
    rows[#rows + (continued and 0 or 1)] = row
  end
  return table_of(head, rows)
end

--- sentences as they are broken; a short line ends a paragraph's line
local function prose(lines)
  local inlines = {}
  for i, line in ipairs(lines) do
    inlines[#inlines + 1] = pandoc.Str(line:match('^%s*(.*)$'))
    if i < #lines then
      inlines[#inlines + 1] = #line < 75 and pandoc.LineBreak() or pandoc.SoftBreak()
    end
  end
  return pandoc.Para(inlines)
end

local exact = {equations = true, problem = true}

--- what `delassus show NAME` prints, as blocks
local function entry(blocks, name)
  local title, lines = nil, {}
  local function close()
    if #lines == 0 then
      return
    end
    if title then
      blocks:insert(pandoc.Para({pandoc.Strong({pandoc.Str(title)})}))
    end
    if lines[1]:match('^  name +%S') then
      blocks:insert(columns(lines))
    elseif title and exact[title:match('^%a+')] then
      local text = table.concat(lines, '\n'):gsub('^  ', ''):gsub('\n  ', '\n')
      blocks:insert(pandoc.CodeBlock((text:gsub('_|_', ' ⊥ '):gsub('<=', '≤ '):gsub('>=', '≥ ')))) -- as wide as before
    else
      blocks:insert(prose(lines))
    end
    title, lines = nil, {}
  end
  blocks:insert(header(2, name, name))
  local first = true
  for line in lines_of(printed('show', name)) do
    if line == '' or not line:match('^ ') then
      close()
      title = not first and line ~= '' and line or nil
      first = false
    else
      lines[#lines + 1] = line
    end
  end
  close()
end

--- the rows of `delassus list KIND --format csv`, cells as texts
local function list()
  local rows = {}
  for i, cells in ipairs(pandoc.utils.to_simple_table(pandoc.read(printed('list', kind, '--format', 'csv'), 'csv').blocks[1]).rows) do
    rows[i] = {}
    for c, content in ipairs(cells) do
      rows[i][c] = pandoc.utils.stringify(content)
    end
  end
  return rows
end

--- the manual page of a command, without what is the same in all
local function manual(blocks, command)
  local file = assert(io.open(man .. '/delassus-' .. command .. '.1'))
  local section = ''
  blocks:insert(header(2, command, command))
  for _, block in ipairs(pandoc.read(file:read('a'), 'man').blocks) do
    if block.t == 'Header' then
      section = pandoc.utils.stringify(block):lower()
    end
    if section == 'name' or section == 'synopsis' or section == 'description' or section == 'options' or section == 'examples' then
      if block.t ~= 'Header' then
        blocks:insert(block)
      elseif section == 'options' or section == 'examples' then
        blocks:insert(pandoc.Para({pandoc.Strong({pandoc.Str(section)})}))
      end
    end
  end
  file:close()
end

local function commands()
  local found = {}
  for name in printed('--complete', 'delassus', ''):gmatch('[^-%s]%S*') do
    found[#found + 1] = name
  end
  table.sort(found)
  return found
end

--- what each page contains: a sentence about it, and its blocks
local pages = {
  commands = {'Every command of delassus with its options.', function(blocks)
    for _, name in ipairs(commands()) do
      manual(blocks, name)
    end
  end},
  topics = {'Values, columns, verdicts, files, the exit status and the environment, as `delassus help TOPIC` prints them.', function(blocks)
    for name in ('\n' .. printed('--help'):match('topics of `delassus help`:(.-)\n\n')):gmatch('\n  (%l%S*)') do
      local title, text = printed('help', name):match('^(.-)\n\n(.*)$')
      blocks:insert(header(2, name, 'topic-' .. name))
      blocks:insert(pandoc.Para({pandoc.Str(title)}))
      blocks:insert(pandoc.CodeBlock(text:gsub('\n$', ''), pandoc.Attr()))
    end
  end},
}

local function listed(sentence, head, details)
  return {sentence, function(blocks)
    local rows = list()
    blocks:insert(table_of(head, rows, details))
    if details then
      for _, row in ipairs(rows) do
        entry(blocks, row[1])
      end
    end
  end}
end
pages.models = listed('Mechanical systems with their equations, parameters and exact solutions.', {'name', 'what it is'}, true)
pages.schemes = listed('Time integrators with their equations and options, and what to expect of them.', {'name', 'what it is'}, true)
pages.laws = listed('Laws of contact: what a contact does with its impulse.', {'name', 'what it is'}, true)
pages.norms = listed('Measures of the distance between two motions, for `--norm`.', {'name', 'what it is'}, true)
pages.solvers = listed('Solvers of contact problems.', {'name', 'what it is'}, true)
pages.studies = listed('Investigations that `delassus study NAME` runs.', {'name', 'what it shows'})

function Pandoc(doc)
  tool, man, kind = pandoc.utils.stringify(doc.meta.tool), pandoc.utils.stringify(doc.meta.man), pandoc.utils.stringify(doc.meta.kind)
  local page = pages[kind]
  local blocks = pandoc.List({header(1, (kind:gsub('^%l', string.upper)), kind .. '-list')})
  blocks:extend(pandoc.read(page[1], 'gfm').blocks)
  page[2](blocks)
  return pandoc.Pandoc(blocks, doc.meta)
end
