-- words.lua -- pandoc's filter behind page.lua: the first occurrence of a word of the glossary on a page is a link to it, and so is that
-- of a name in `code` that the tool lists; letters with an index, such as u_N or h^2, are typeset.
--   -M file=PAGE.md  -M docs=FOLDER  as of page.lua
--   -M entries=FILE  what `delassus list --format csv` prints
-- SPDX-License-Identifier: GPL-3.0-or-later

local stringify = pandoc.utils.stringify

-- Words of the glossary that mean other things in other sentences.
local ambiguous = {}
for word in ('closed configuration drift floor level model node norm order phase rate reference seed study theta work'):gmatch('%a+') do
  ambiguous[word] = true
end

local function anchor(term)
  return 'word-' .. term:lower():gsub("[^%w\128-\255]+", '-')
end

--- the terms of a cell of the glossary: "sinking, drift at rest" has two; "closed, open contact" two with one noun
local function terms_of(text)
  local terms = {}
  for term in (text .. ', '):gmatch('(.-), ') do
    terms[#terms + 1] = term
  end
  return terms
end

--- the terms of the table, in small letters -> anchor of its row
local function read_terms(path)
  local file = assert(io.open(path))
  local known, most = {}, 1
  for cell in file:read('a'):match('| %-%-%- |(.*)'):gmatch('\n| ([^|]-) |') do
    for _, term in ipairs(terms_of(cell)) do
      if #term > 3 and not ambiguous[term] then
        known[term:lower()] = anchor(cell)
        most = math.max(most, select(2, term:gsub(' ', '')) + 1)
      end
    end
  end
  file:close()
  return known, most
end

--- a function that makes links of names of models, schemes, laws, norms and solvers, each once
local function entry_linker(path, root)
  local pages = {}
  for line in io.lines(path) do
    local name, kind = line:match('^([%w-]+),.*,(%l+),')
    if name and ('model scheme law norm solver'):find(kind, 1, true) then
      pages[name] = pages[name] or root .. 'reference/' .. kind .. 's.html#' .. name
    end
  end
  return function(code)
    local target = pages[code.text]
    pages[code.text] = nil
    return target and pandoc.Link({code}, target) or code, false
  end
end

--- a text in front of letters, the word, and what is behind it: ("contacts") -> ( contacts )
local function taken_apart(text)
  return text:match("^([%(\"'“‘]*)(.-)([%)%.,;:!%?\"'”’]*)$")
end

--- a function that replaces terms of `known` in inlines, each once
local function linker(known, most, target)
  return function(inlines)
    local texts, spaces = {}, {} -- each inline is read once, as reading takes long
    for k, inline in ipairs(inlines) do
      local kind = inline.t
      texts[k] = kind == 'Str' and inline.text or ''
      spaces[k] = kind == 'Space' or kind == 'SoftBreak'
    end
    local linked, i = pandoc.List(), 1
    while i <= #inlines do
      local words = {texts[i]}
      while #words < most and spaces[i + 2 * #words - 1] and (texts[i + 2 * #words] or '') ~= '' do
        words[#words + 1] = texts[i + 2 * #words]
      end
      local count, before, core, behind, found = #words + 1, nil, nil, nil, nil
      repeat
        count = count - 1
        before, core, behind = taken_apart(table.concat(words, ' ', 1, count))
        found = known[core:lower()] or known[core:lower():gsub('s$', '')]
      until found or count == 1
      if found then
        for term, place in pairs(known) do
          known[term] = place ~= found and place or nil
        end
        linked:extend({pandoc.Str(before), pandoc.Link({pandoc.Str(core)}, target .. '#' .. found, '', pandoc.Attr('', {'word'})), pandoc.Str(behind)})
      else
        linked:insert(inlines[i])
      end
      i = i + 2 * count - 1
    end
    return linked
  end
end

--- u_N, |û_N|, q_k+1, h^2, l_s/t_s: letters with an index of at most six letters or digits, which k+1 and the like count as one
local function typeset(text, inlines)
  inlines = inlines or pandoc.List()
  local unit, rest = text:match('^([^_^]-/)(.+)$')
  if unit then -- m/s^2
    inlines:insert(pandoc.Str(unit))
    return typeset(rest, inlines)
  end
  local before, letter, kind, index, behind = text:match('^([%p%d]*)([%a\194-\244][\128-\191\204-\205]*)([_^])(%w+)(.*)$')
  if not letter or #index > 6 then
    inlines:insert(pandoc.Str(text))
    return inlines
  end
  local offset = behind:match('^[+-][%dθ]+') or behind:match('^−%d') or ''
  local made = kind == '_' and pandoc.Subscript or pandoc.Superscript
  inlines:extend({pandoc.Str(before .. letter), made({pandoc.Str(index .. offset)})})
  return typeset(behind:sub(#offset + 1), inlines)
end

local stay = function(element)
  return element, false
end

function Pandoc(doc)
  local name, docs = stringify(doc.meta.file), stringify(doc.meta.docs)
  local blocks = pandoc.Div(doc.blocks)
  if name == 'reference/glossary.md' then
    blocks = blocks:walk({Table = function(table)
      local rows = pandoc.utils.to_simple_table(table)
      for _, row in ipairs(rows.rows) do
        local cell = row[1][1].content
        cell:insert(1, pandoc.Span({}, pandoc.Attr(anchor(stringify(cell)))))
      end
      return pandoc.utils.from_simple_table(rows)
    end})
  elseif not name:find('README.md', 1, true) then
    local known, most = read_terms(docs .. '/reference/glossary.md')
    local root = stringify(doc.meta.root)
    blocks = blocks:walk({traverse = 'topdown', Header = stay, Link = stay, TableHead = stay,
      Inlines = linker(known, most, root .. 'reference/glossary.html'), Code = entry_linker(stringify(doc.meta.entries), root)})
  end
  doc.blocks = blocks:walk({Str = function(str) return str.text:find('[_^]') and typeset(str.text) or nil end}).content
  return doc
end
