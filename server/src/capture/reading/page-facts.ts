/**
 * The part of READING_SCRIPT and INNER_TEXT_SCRIPT that defines `facts`, which returns what a page states about itself
 * in its head, its structured data and its marked elements; null for what it does not state.
 */
export const PAGE_FACTS = String.raw`
  const MAX_FACT_CHARACTERS = 2_000;
  const MAX_NAMES = 50;
  const MAX_DATA = { scripts: 20, characters: 500_000, entries: 500 };
  const fact = (...texts) => {
    for (const text of texts) {
      const words = typeof text === 'string' ? inOneLine(text.slice(0, 4 * MAX_FACT_CHARACTERS)) : '';
      if (words !== '') return cut(words, MAX_FACT_CHARACTERS);
    }
    return null;
  };
  const metas = new Map();
  for (const element of allOf(document, 'meta')) {
    const content = attributeOf(element, 'content');
    for (const key of ['name', 'property', 'itemprop', 'http-equiv']) {
      const name = attributeOf(element, key).trim().toLowerCase();
      const known = metas.get(name) ?? [];
      if (name !== '' && content.trim() !== '' && known.length < MAX_NAMES) metas.set(name, [...known, content]);
    }
  }
  const meta = (name) => metas.get(name)?.[0];
  /**
   * Joins the first MAX_NAMES names into one line, each name once. Separates them by commas, or by semicolons if a name
   * such as "Last, First" contains a comma.
   */
  const inOneList = (names) => {
    const different = new Set(names.slice(0, MAX_NAMES).map((name) => inOneLine(name.slice(0, MAX_FACT_CHARACTERS))));
    different.delete('');
    return [...different].join([...different].some((name) => name.includes(',')) ? '; ' : ', ');
  };
  const everyMeta = (name) => inOneList(metas.get(name) ?? []);
  const firstOf = (selector, name) => {
    const [element] = allOf(document, selector);
    return element === undefined ? '' : attributeOf(element, name) || (element.textContent ?? '');
  };
  const everyOf = (selector) =>
    inOneList([...allOf(document, selector)].map((element) => attributeOf(element, 'content') || (element.textContent ?? '')));
  const structured = () => {
    const entries = [];
    const collect = (value) => {
      if (entries.length >= MAX_DATA.entries || value === null || typeof value !== 'object') return;
      if (Array.isArray(value)) value.forEach(collect);
      else {
        entries.push(value);
        collect(value['@graph']);
        collect(value.mainEntity);
        collect(value.mainEntityOfPage);
      }
    };
    for (const script of [...allOf(document, 'script[type="application/ld+json" i]')].slice(0, MAX_DATA.scripts)) {
      const text = script.textContent;
      if (text.length > MAX_DATA.characters) continue;
      try {
        collect(JSON.parse(text));
      } catch {
        // Structured data with errors is ignored.
      }
    }
    return entries;
  };
  const entries = structured();
  const isAbout = (entry) => /Article|Posting|Page|Report|Recipe|Product|Event|Book|Course|Video|Review/u.test(String(entry['@type']));
  const stated = (name) => entries.find((entry) => isAbout(entry) && entry[name] !== undefined)?.[name];
  const byId = new Map(entries.filter((entry) => typeof entry['@id'] === 'string' && Object.keys(entry).length > 1).map((entry) => [entry['@id'], entry]));
  /**
   * The values of a property as objects: a text becomes { text }, and a reference by @id gets the fields of the entry
   * that it refers to.
   */
  const valuesOf = (property) => [property].flat().map((value) => ({ ...byId.get(value?.['@id']), ...(typeof value === 'string' ? { text: value } : value) }));
  const namesOf = (property) =>
    inOneList(valuesOf(property).map(({ text, name }) => text ?? name).filter((name) => typeof name === 'string'));
  const addressIn = (property) => {
    const [{ text, url, contentUrl } = {}] = valuesOf(property);
    return text ?? url ?? contentUrl ?? '';
  };
  const addressOf = (...addresses) => {
    for (const address of addresses) {
      const whole = typeof address === 'string' ? webAddress(address.trim(), baseOf(document)) : '';
      if (whole !== '') return whole;
    }
    return null;
  };
  const nameUnlessAddress = (text) => (/^https?:/iu.test(text ?? '') ? '' : text);
  const siteOf = () => {
    const site = entries.find((entry) => String(entry['@type']) === 'WebSite');
    return namesOf(site) || namesOf(stated('publisher'));
  };
  const facts = () => ({
    url: location.href,
    title: fact(reader(Document, 'title')(document), meta('og:title'), meta('twitter:title'), stated('headline')),
    description: fact(meta('description'), meta('og:description'), meta('twitter:description'), meta('dc.description'), stated('description')),
    language: fact(root === null ? '' : attributeOf(rootOf(document), 'lang') || attributeOf(rootOf(document), 'xml:lang'), meta('content-language'), meta('og:locale')?.replace('_', '-'), stated('inLanguage')),
    author: fact(everyMeta('author'), nameUnlessAddress(everyMeta('article:author')), everyMeta('dc.creator'), everyMeta('citation_author'), namesOf(stated('author')), everyOf('[itemprop="author"] [itemprop="name"]'), everyOf('[itemprop="author"]'), everyOf('[rel~="author"]')),
    publishedAt: fact(meta('article:published_time'), stated('datePublished'), meta('datepublished'), firstOf('time[itemprop="datePublished"], time[pubdate]', 'datetime'), meta('citation_publication_date'), meta('dc.date'), meta('dcterms.created'), meta('pubdate'), meta('date')),
    modifiedAt: fact(meta('article:modified_time'), meta('og:updated_time'), stated('dateModified'), meta('datemodified'), firstOf('time[itemprop="dateModified"]', 'datetime'), meta('dcterms.modified'), meta('last-modified')),
    canonicalUrl: addressOf(...[...allOf(document, 'link[rel~="canonical" i]')].map((link) => attributeOf(link, 'href')), meta('og:url')),
    siteName: fact(meta('og:site_name'), meta('application-name'), siteOf()),
    image: addressOf(meta('og:image'), meta('og:image:url'), meta('og:image:secure_url'), meta('twitter:image'), meta('twitter:image:src'), addressIn(stated('image')), ...[...allOf(document, 'link[rel="image_src" i]')].map((link) => attributeOf(link, 'href'))),
  });`;
