-- page.lua -- pandoc's filter for pages of the handbook: links to pages, equations, the lists of pages, text for the search.
--   -M file=PAGE.md      its path within docs/
--   -M docs=FOLDER       the folder docs/, whose books have lists of pages
--   -M made='KIND ...'  pages of the Reference that the tool prints: listed where its README.md has the comment `lists that the tool prints`
--   -M found=FILE        where to put the text for the search, a statement of JavaScript
--   -M headers=yes       there is headers/files.html
--   -M runs=yes          there is delassus-tool.js: command blocks of the Guide have a button (run-here.js)
-- SPDX-License-Identifier: GPL-3.0-or-later

local stringify = pandoc.utils.stringify

local function read(path)
  local file = assert(io.open(path))
  local text = file:read('a')
  file:close()
  return text
end

--- a link to a page: page.md#there -> page.html#there; README.md is index.html
local function to_html(target)
  if target:find('^%a+:') then
    return target
  end
  return (target:gsub('README%.md', 'index.html'):gsub('%.md$', '.html'):gsub('%.md#', '.html#'))
end

-- ```math, as code hosts have it, is a displayed equation; \tag{n} its number, which MathML has no place for
local function equation(tex)
  local number = tex:match('\\tag{([^}]*)}')
  local math = pandoc.Math('DisplayMath', (tex:gsub('%s*\\tag{[^}]*}', '')))
  if not number then
    return pandoc.Div({pandoc.Plain({math})}, pandoc.Attr('', {'equation'}))
  end
  local mark = pandoc.Span({pandoc.Str('(' .. number .. ')')}, pandoc.Attr('', {'number'}))
  return pandoc.Div({pandoc.Plain({pandoc.Span({math}), mark})}, pandoc.Attr('', {'equation'}))
end

local function code_block(block)
  if block.classes[1] == 'math' then
    return equation(block.text)
  end
  block.text = block.text:gsub('  # has: [^\n]*', '') -- what the tests look for in an output
  return block
end

-- pandoc from 3 on reads such blocks as mathematics by itself
local function paragraph(block)
  local math = block.content[1]
  if #block.content == 1 and math.t == 'Math' and math.mathtype == 'DisplayMath' then
    return equation(math.text)
  end
end

local function numbered(list) -- what is not HTML5 any more is left out
  list.listAttributes = pandoc.ListAttributes(list.start, 'DefaultStyle', 'DefaultDelim')
  return list
end

local function box(block) -- tables scroll by themselves
  return pandoc.Div({block}, pandoc.Attr('', {'box'}))
end

local function escape(text)
  return (text:gsub('[&<>"]', {['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;'}))
end

--- a link of a page of `folder` ('' or 'notes/'), as a path within the handbook
local function within(folder, target)
  return target:find('^%.%./') and target:sub(4) or folder .. target
end

local printed_lists = '<!-- lists that the tool prints -->'

local function titled(name) -- schemes -> Schemes
  return (name:gsub('^%l', string.upper))
end

local books = {{'guide', 'Guide'}, {'course', 'Course'}, {'reference', 'Reference'}, {'notes', 'Notes'}}

--- the lists of pages as HTML, that of `here` open; root: "" or "../". Each is made of the bold titles and the first columns of the
--- tables of the book's README.md.
local function lists_of_pages(docs, made, here, root)
  local html = {}
  local function item(target, name)
    local text = escape(name)
    return '<li>' .. (target == here and '<strong>' .. text .. '</strong>' or '<a href="' .. root .. target .. '">' .. text .. '</a>') .. '</li>\n'
  end
  for _, book in ipairs(books) do
    local folder = book[1] .. '/'
    local index = folder .. 'index.html'
    local list, inside = {'<ul>\n' .. item(index, 'Contents')}, here == index
    local function entry(target, name)
      inside = inside or target == here
      list[#list + 1] = item(target, name)
    end
    for line in read(docs .. '/' .. folder .. 'README.md'):gmatch('[^\n]+') do
      local heading = line:match('^%*%*(.-)%*%*')
      local name, target = line:match('^| %[(.-)%]%((.-)%)')
      if heading then
        list[#list + 1] = '</ul>\n<h3>' .. escape(heading) .. '</h3>\n<ul>\n'
      elseif name then
        entry(within(folder, to_html(target)), name)
      elseif line == printed_lists then
        for kind in made:gmatch('%l+') do
          entry(folder .. kind .. '.html', titled(kind))
        end
      end
    end
    html[#html + 1] = '<details' .. (inside and ' open' or '') .. '>\n<summary>' .. book[2] .. '</summary>\n' .. table.concat(list) .. '</ul>\n</details>\n'
  end
  return table.concat(html)
end

local function quoted(text) -- as JavaScript reads it
  text = text:gsub('%-%-%-+', ' '):gsub('%s+', ' '):gsub('[\\"]', '\\%0'):gsub('</', '<\\/')
  return '"' .. text .. '"'
end

-- \theta h is found by "theta h"; commands that set nothing are left out
local layout = {}
for word in ('begin cdot dfrac end frac in left lVert lvert mathbb mathrm mid operatorname qquad quad right rVert rvert text tfrac'):gmatch('%a+') do
  layout[word] = ''
end

local function words_of(math)
  return pandoc.Str((math.text:gsub('\\(%a+)', layout):gsub('[\\{}&]', ' '):gsub('%s+', ' ')))
end

local function plain(blocks)
  local body = pandoc.walk_block(pandoc.Div(blocks), {Math = words_of})
  return (pandoc.write(pandoc.Pandoc(body.content), 'plain', {wrap_text = 'wrap-none'}))
end

--- found(page, title, [anchor, heading, text, anchor, ...])
local function text_for_search(doc, page)
  local parts, blocks, title = {}, {}, nil
  local anchor, heading = '', ''
  local function close()
    parts[#parts + 1] = table.concat({quoted(anchor), quoted(heading), quoted(plain(blocks))}, ',')
    blocks = {}
  end
  for _, block in ipairs(doc.blocks) do
    if block.t == 'Header' and block.level == 1 and not title then
      title = block
    elseif block.t == 'Header' then
      close()
      anchor, heading = block.identifier, stringify(block)
    else
      blocks[#blocks + 1] = block
    end
  end
  close()
  return 'found(' .. quoted(page) .. ',' .. quoted(stringify(title)) .. ',[\n' .. table.concat(parts, ',\n') .. ']);\n', title
end

--- Where commands run: the names of files that the reader saves, in the source ```yaml file=NAME, as attributes; and files of docs/ that
--- commands read, as elements.
local function with_files(blocks, docs, name)
  local saved, has_commands = {}, false
  for file, text in read(docs .. '/' .. name):gmatch('\n```%a+ file=(%S+)\n(.-)\n```\n') do
    saved[text] = file
  end
  local elements = pandoc.List()
  local body = pandoc.walk_block(pandoc.Div(blocks), {CodeBlock = function(block)
    block.attributes.file = saved[block.text]
    if block.classes[1] == 'sh' then
      has_commands = true
      for file in block.text:gmatch('docs/([%w/-]+%.yaml)') do
        if not saved[file] then
          saved[file] = file
          elements:insert(pandoc.RawBlock('html', '<pre hidden data-file="docs/' .. file .. '">' .. escape(read(docs .. '/' .. file)) .. '</pre>'))
        end
      end
    end
    return block
  end})
  return body.content .. elements, has_commands
end

function Pandoc(doc)
  local name = stringify(doc.meta.file)
  if doc.meta.runs then
    doc.blocks, doc.meta.runs = with_files(doc.blocks, stringify(doc.meta.docs), name)
  end
  local here = to_html(name)
  local root = name:find('/') and '../' or ''
  local body = pandoc.walk_block(pandoc.Div(doc.blocks), {CodeBlock = code_block, Para = paragraph})
  doc.blocks = body.content
  local made = stringify(doc.meta.made)
  doc.blocks = pandoc.walk_block(pandoc.Div(doc.blocks), {RawBlock = function(block)
    if block.text:find(printed_lists, 1, true) then
      local links = {}
      for kind in made:gmatch('%l+') do
        links[#links + 1] = {pandoc.Plain({pandoc.Link(titled(kind), kind .. '.html')})}
      end
      return pandoc.BulletList(links)
    end
  end}).content
  local text, title = text_for_search(doc, here)
  local file = assert(io.open(stringify(doc.meta.found), 'w'))
  file:write(text)
  file:close()
  body = pandoc.walk_block(pandoc.Div(doc.blocks), {
    Link = function(link)
      link.target = to_html(link.target)
      return link
    end,
    Table = box,
    OrderedList = numbered,
  })
  doc.blocks = body.content:filter(function(block) return block.identifier ~= title.identifier end)
  doc.meta.pagetitle = stringify(title)
  doc.meta.heading = pandoc.MetaInlines(title.content)
  doc.meta.root = root
  doc.meta.home = here == 'index.html' or nil
  doc.meta.navigation = pandoc.MetaBlocks({pandoc.RawBlock('html', lists_of_pages(stringify(doc.meta.docs), stringify(doc.meta.made), here, root))})
  return doc
end
