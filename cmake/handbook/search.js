/* search.js -- full-text search of the handbook, in the page, without a server: every word must stand in a part of a page.
 * Words that mean the same are in synonyms.js. No index of stems: names such as nonsmooth-newmark, h1 or û are found as they are, by any piece of them; names of
 * Greek letters find the letters, and accents need not be typed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
'use strict'
{
  const root = document.currentScript.dataset.root
  const words = document.getElementById('words')
  const list = document.getElementById('found')
  const columns = document.getElementById('columns')
  const pages = document.getElementById('pages')
  const most = 40
  let parts = null // {page, title, anchor, heading, text, name, lower}, all pages in one list
  let asked = null

  const greek = {alpha: 'α', beta: 'β', gamma: 'γ', delta: 'δ', epsilon: 'ε', zeta: 'ζ', eta: 'η', theta: 'θ', kappa: 'κ', lambda: 'λ',
    mu: 'μ', xi: 'ξ', pi: 'π', rho: 'ρ', sigma: 'σ', tau: 'τ', phi: 'φ', psi: 'ψ', omega: 'ω'}

  /* Small letters without accents, but for those of mathematics (û, ṽ), and dashes as hyphens. One letter for one, so that a place here is that in the text. */
  const folded = (letter) => letter.normalize('NFD').replace(/[\u0300\u0301\u0308\u030a-\u030c\u0327]/g, '').normalize('NFC').replace(/[øØ]/, 'o').replace(/[–‐]/, '-')
  const lower = (text) => Array.from(text, (letter) => {
    const small = letter < '\u0080' ? letter.toLowerCase() : folded(letter).toLowerCase()
    return small.length === letter.length ? small : letter
  }).join('')

  /* Called by search-index.js for each row of synonyms.js. */
  const rows = []
  window.same = (...forms) => rows.push(forms.map(lower))

  /* What is looked for: of each word, or phrase of a row of synonyms, all its forms, that typed first. */
  const terms_of = (text) => {
    const typed = lower(text).split(/\s+/).filter((word) => word !== '')
    const terms = []
    for (let at = 0, length; at < typed.length; at += length) {
      const phrase = () => typed.slice(at, at + length).join(' ')
      length = Math.min(4, typed.length - at)
      while (length > 1 && !rows.some((forms) => forms.includes(phrase()))) {
        length--
      }
      const others = rows.filter((forms) => forms.includes(phrase())).flat()
      terms.push([...new Set([phrase(), ...(greek[phrase()] ? [greek[phrase()]] : []), ...others])])
    }
    return terms
  }

  /* Called by search-index.js for every page. */
  window.found = (page, title, texts) => {
    for (let i = 0; i < texts.length; i += 3) {
      const part = {page, title, anchor: texts[i], heading: texts[i + 1], text: texts[i + 2]}
      part.name = lower(part.heading || title)
      part.top = lower(title)
      part.lower = lower(title + ' ' + part.heading + ' ' + part.text)
      part.alone = ' ' + part.lower.replace(/[,.;:()]+/g, ' ').replace(/ +/g, ' ') + ' '
      part.length = part.lower.split(' ').length
      parts.push(part)
    }
  }

  /* The index is asked for with the first word. */
  const index = () => {
    asked = asked || new Promise((done, failed) => {
      parts = []
      const script = document.createElement('script')
      script.src = root + 'search-index.js'
      script.onload = done
      script.onerror = failed
      document.head.append(script)
    })
    return asked
  }

  const books = {'guide/': 1.5, 'headers/': 0.2, 'reference/studies': 0.6}
  const average = 150 // words of a part

  /* How well a part answers (BM25): how often the words stand there, the rare ones count more, long parts less. Synonyms count a quarter.
   * A word in a heading counts most, then one in the title of the page. A part that lacks a word is not found. */
  const worth = (part, terms, rarity) => {
    let sum = 0
    for (const [i, forms] of terms.entries()) {
      const count = (text) => forms.reduce((times, form, f) => Math.max(times, (text.split(form).length - 1) / (f === 0 ? 1 : 4)), 0)
      const times = count(part.lower)
      if (times === 0) {
        return 0
      }
      const alone = forms.some((form) => part.alone.includes(' ' + form + ' ')) ? 1 : 0.5
      const often = times * 2.5 / (times + 1.5 * (0.5 + 0.5 * part.length / average))
      sum += rarity[i] * (alone * often + 5 * Math.min(1, count(part.name)) + 2 * Math.min(1, count(part.top)))
    }
    const exact = terms.map((forms) => forms[0]).join(' ')
    const named = part.name === exact ? 2 : 1
    const book = Object.keys(books).find((start) => part.page.startsWith(start) && !exact.startsWith('dls_'))
    return sum * named * (book ? books[book] : 1) * (part.anchor === '' ? 1.7 : 1)
  }

  /* The rarity of each term: log(1 + parts / parts that have it). */
  const rarities = (terms) => terms.map((forms) =>
    Math.log(1 + parts.length / (1 + parts.filter((part) => forms.some((form) => part.lower.includes(form))).length)))

  const marked = (text, all) => { // a piece of it around the first word, if possible one that was typed; words marked
    const small = lower(text)
    const terms = all.flat()
    const places_of = (forms) => forms.map((form) => small.indexOf(form)).filter((place) => place >= 0)
    const typed = places_of(all.map((forms) => forms[0]))
    const places = typed.length > 0 ? typed : places_of(terms)
    const from = Math.max(0, Math.min(...places, Infinity) - 60)
    const first = Number.isFinite(from) ? from : 0
    const piece = document.createElement('p')
    piece.append(first > 0 ? '… ' : '')
    let at = first
    const end = Math.min(text.length, first + 240)
    while (at < end) {
      const next = terms.map((term) => [small.indexOf(term, at), term.length]).filter(([place]) => place >= 0 && place < end)
      next.sort((a, b) => a[0] - b[0] || b[1] - a[1])
      const [place, length] = next[0] || [end, 0]
      piece.append(text.slice(at, place))
      if (length > 0) {
        const mark = document.createElement('mark')
        mark.textContent = text.slice(place, place + length)
        piece.append(mark)
      }
      at = place + length
    }
    piece.append(end < text.length ? ' …' : '')
    return piece
  }

  const show = (hits, terms) => {
    const head = document.createElement('p')
    head.textContent = hits.length === 0 ? 'Nothing found.' : hits.length === 1 ? '1 place' : `${hits.length} places` + (hits.length > most ? `, the first ${most}` : '')
    list.replaceChildren(head)
    for (const {part} of hits.slice(0, most)) {
      const link = document.createElement('a')
      link.href = root + part.page + (part.anchor ? '#' + part.anchor : '')
      link.textContent = part.title + (part.heading ? ' › ' + part.heading : '')
      const entry = document.createElement('article')
      entry.append(link, marked(part.text, terms))
      list.append(entry)
    }
  }

  const search = async () => {
    const typed = words.value
    const empty = typed.trim() === ''
    list.hidden = empty
    columns.hidden = !empty
    if (empty) {
      return
    }
    try {
      await index()
    } catch {
      list.textContent = 'search-index.js is missing beside the pages.'
      return
    }
    if (words.value !== typed) {
      return // more was typed meanwhile
    }
    const terms = terms_of(typed)
    const rarity = rarities(terms)
    const hits = parts.map((part) => ({part, worth: worth(part, terms, rarity)})).filter((hit) => hit.worth > 0)
    show(hits.sort((a, b) => b.worth - a.worth), terms)
  }

  words.addEventListener('input', search)
  document.getElementById('search').addEventListener('submit', (event) => {
    event.preventDefault()
    const first = list.querySelector('a')
    if (!list.hidden && first) {
      first.click()
    }
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && event.target !== words) {
      event.preventDefault()
      words.focus()
    } else if (event.key === 'Escape' && words.value !== '') {
      words.value = ''
      search()
    }
  })
  list.addEventListener('click', (event) => { // a link to this page itself closes the search
    if (event.target.tagName === 'A') {
      words.value = ''
      search()
    }
  })
  if (pages && !matchMedia('(min-width:75rem)').matches) {
    pages.open = false // beside the page it is always open
  }
  search()
}
