/* search.js -- full-text search of the handbook, in the page, without a server: every word must stand in a part of a page.
 * No index of stems: names such as nonsmooth-newmark, h1 or û are found as they are, by any piece of them; names of
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

  /* Small letters without accents, but for those of mathematics (û, ṽ). One letter for one, so that a place here is that in the text. */
  const folded = (letter) => letter.normalize('NFD').replace(/[\u0300\u0301\u0308\u030a-\u030c\u0327]/g, '').normalize('NFC').replace(/[øØ]/, 'o')
  const lower = (text) => Array.from(text, (letter) => {
    const small = letter < '\u0080' ? letter.toLowerCase() : folded(letter).toLowerCase()
    return small.length === letter.length ? small : letter
  }).join('')

  /* What is looked for: of each word all its forms. */
  const terms_of = (text) => lower(text).split(/\s+/).filter((word) => word !== '').map((word) => greek[word] ? [word, greek[word]] : [word])

  /* Called by search-index.js for every page. */
  window.found = (page, title, texts) => {
    for (let i = 0; i < texts.length; i += 3) {
      const part = {page, title, anchor: texts[i], heading: texts[i + 1], text: texts[i + 2]}
      part.name = lower(part.heading || title)
      part.lower = lower(title + ' ' + part.heading + ' ' + part.text)
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

  /* Words in the name of a part count most, then words that stand alone, then how often they stand there; headers count less. */
  const worth = (part, terms) => {
    let sum = 0
    for (const forms of terms) {
      const times = forms.reduce((count, form) => count + part.lower.split(form).length - 1, 0)
      if (times === 0) {
        return 0
      }
      const within = (text) => forms.some((form) => text.includes(form))
      const alone = forms.some((form) => (' ' + part.lower + ' ').includes(' ' + form + ' '))
      sum += 1 + Math.log(times) + (alone ? 2 : 0) + (within(part.name) ? 8 : 0) + (within(lower(part.title)) ? 3 : 0)
    }
    sum /= part.page.startsWith('headers/') && part.name !== terms[0][0] ? 3 : 1
    return sum + (part.anchor === '' && part.name.includes(terms.map((forms) => forms[0]).join(' ')) ? 8 : 0)
  }

  const marked = (text, all) => { // a piece of it around the first word, words marked
    const small = lower(text)
    const terms = all.flat()
    const places = terms.map((term) => small.indexOf(term)).filter((place) => place >= 0)
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
    const terms = terms_of(typed)
    list.hidden = terms.length === 0
    columns.hidden = terms.length > 0
    if (terms.length === 0) {
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
    const hits = parts.map((part) => ({part, worth: worth(part, terms)})).filter((hit) => hit.worth > 0)
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
