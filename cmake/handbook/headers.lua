-- headers.lua -- pandoc as an interpreter: from doxygen's tag file what the search of the handbook finds in headers.
--   -M tags=FILE    doxygen's
--   -M found=FILE   as of page.lua
-- SPDX-License-Identifier: GPL-3.0-or-later

local function open(path, mode)
  return assert(io.open(path, mode))
end

local function field(text, name)
  local value = text:match('<' .. name .. '>(.-)</' .. name .. '>') or ''
  return (value:gsub('&lt;', '<'):gsub('&gt;', '>'):gsub('&quot;', '"'):gsub('&amp;', '&'))
end

local function quoted(text) -- as JavaScript reads it
  return '"' .. text:gsub('%s+', ' '):gsub('[\\"]', '\\%0') .. '"'
end

function Pandoc(doc)
  local tags = open(pandoc.utils.stringify(doc.meta.tags), 'r'):read('a')
  local out = open(pandoc.utils.stringify(doc.meta.found), 'w')
  for compound in tags:gmatch('<compound kind="[fs][it][lr][eu][^"]*">(.-)</compound>') do
    local name, page = field(compound, 'name'), field(compound, 'filename')
    local parts = {}
    for member in compound:gmatch('<member [^>]*>(.-)</member>') do
      local text = field(member, 'type') .. ' ' .. field(member, 'name') .. field(member, 'arglist')
      parts[#parts + 1] = table.concat({quoted(field(member, 'anchor')), quoted(field(member, 'name')), quoted(text)}, ',')
    end
    if not page:find('%.html$') then
      page = page .. '.html'
    end
    out:write('found(', quoted('headers/' .. page), ',', quoted(name), ',[\n', table.concat(parts, ',\n'), ']);\n')
  end
  out:close()
end
