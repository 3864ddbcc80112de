/**
 * A script that reads what a page states about itself in its head and its structured data; null for what it does not
 * state.
 */
export const PAGE_FACTS = String.raw`
  const MAX_FACT_CHARACTERS = 2_000;
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
      if (name !== '' && content.trim() !== '' && !metas.has(name)) metas.set(name, content);
    }
  }
  const firstOf = (selector, name) => {
    const [element] = allOf(document, selector);
    return element === undefined ? '' : attributeOf(element, name) || (element.textContent ?? '');
  };
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
  const namesOf = (value) =>
    [value].flat().map((each) => (typeof each === 'string' ? each : each?.name)).filter((name) => typeof name === 'string').join(', ');
  const addressIn = (value) => {
    const [first] = [value].flat();
    return typeof first === 'string' ? first : (first?.url ?? first?.contentUrl ?? '');
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
    title: fact(reader(Document, 'title')(document), metas.get('og:title'), metas.get('twitter:title'), stated('headline')),
    description: fact(metas.get('description'), metas.get('og:description'), metas.get('twitter:description'), metas.get('dc.description'), stated('description')),
    language: fact(root === null ? '' : attributeOf(rootOf(document), 'lang'), metas.get('content-language'), metas.get('og:locale')?.replace('_', '-'), stated('inLanguage')),
    author: fact(metas.get('author'), nameUnlessAddress(metas.get('article:author')), metas.get('dc.creator'), namesOf(stated('author')), firstOf('[itemprop="author"] [itemprop="name"], [itemprop="author"]', 'content'), firstOf('[rel~="author"]', 'content')),
    publishedAt: fact(metas.get('article:published_time'), stated('datePublished'), metas.get('datepublished'), firstOf('time[itemprop="datePublished"], time[pubdate]', 'datetime'), metas.get('dc.date'), metas.get('dcterms.created'), metas.get('pubdate'), metas.get('date')),
    modifiedAt: fact(metas.get('article:modified_time'), metas.get('og:updated_time'), stated('dateModified'), metas.get('datemodified'), firstOf('time[itemprop="dateModified"]', 'datetime'), metas.get('dcterms.modified'), metas.get('last-modified')),
    canonicalUrl: addressOf(...[...allOf(document, 'link[rel~="canonical" i]')].map((link) => attributeOf(link, 'href')), metas.get('og:url')),
    siteName: fact(metas.get('og:site_name'), metas.get('application-name'), siteOf()),
    image: addressOf(metas.get('og:image'), metas.get('og:image:url'), metas.get('og:image:secure_url'), metas.get('twitter:image'), metas.get('twitter:image:src'), addressIn(stated('image')), ...[...allOf(document, 'link[rel="image_src" i]')].map((link) => attributeOf(link, 'href'))),
  });`;
