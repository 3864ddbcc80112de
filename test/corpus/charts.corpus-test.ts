import { colouredPixels, PINK, pixelsOf, startCorpus, type Corpus } from './support/corpus.js';

let corpus: Corpus;

beforeAll(async () => {
  corpus = await startCorpus();
});
afterAll(() => corpus.close());

const VIOLET = [78, 115, 223] as const;
const GREEN = [28, 200, 138] as const;
const TURQUOISE = [54, 185, 204] as const;

describe('charts, counters and banners are captured at the end of their animation', () => {
  test.each([
    ['the bars of a discrete chart of NVD3', '/nvd3/examples/discreteBarChart.html', '#chart1', 105_000],
    ['a donut of NVD3', '/nvd3/examples/donutChart.html', '#test1', 24_000],
    ['the layers of a stacked chart of NVD3', '/nvd3/examples/stackedAreaChart.html', '#chart1', 315_000],
    ['the lines and areas of NVD3', '/nvd3/examples/lineChart.html', '#chart1', 140_000],
    ['the columns of ApexCharts', '/pages/apexcharts.html', '#chart', 135_000],
  ])('a picture shows %s', async (_name, path, selector, least) => {
    const picture = await corpus.picture(path, { selector });
    expect(colouredPixels(picture)).toBeGreaterThan(least);
  });

  test.each([
    ['the bars of Chart.js', '/pages/chartjs.html', 130_000],
    ['a pie of ECharts', '/pages/echarts.html', 98_000],
    ['the bars of Plotly', '/pages/plotly.html', 70_000],
  ])('a picture shows %s', async (_name, path, least) => {
    const picture = await corpus.picture(path, { selector: '#chart' });
    expect(pixelsOf(picture, PINK)).toBeGreaterThan(least);
  });

  test('a picture shows the levels of the liquid charts of ECharts', async () => {
    const picture = await corpus.picture('/echarts-liquidfill/example/index.html', { fullPage: true });
    expect(colouredPixels(picture)).toBeGreaterThan(185_000);
  });

  test("a picture shows all three parts of the doughnut chart of SB Admin's dashboard", async () => {
    const picture = await corpus.picture('/startbootstrap-sb-admin-2/index.html', {
      selector: '#myPieChart',
    });
    const [violet, green, turquoise] = [VIOLET, GREEN, TURQUOISE].map((colour) => pixelsOf(picture, colour));
    expect(violet).toBeGreaterThan(7_500);
    expect(green).toBeGreaterThan(4_000);
    expect(turquoise).toBeGreaterThan(2_000);
  });

  test("a picture shows the bars of SB Admin's chart", async () => {
    const picture = await corpus.picture('/startbootstrap-sb-admin-2/charts.html', {
      selector: '#myBarChart',
    });
    expect(pixelsOf(picture, VIOLET)).toBeGreaterThan(19_000);
  });

  test('in a PDF, the counters of CountUp show their final numbers', async () => {
    const { text } = await corpus.printed('/countup.js/index.html');
    expect(text).toMatch(/View on GitHub 100 .* Current stars: 95 /u);
  });
});

describe('cookie banners are whole, and gone once they are answered, hidden or blocked', () => {
  const BANNER = [56, 59, 117] as const;
  const EXAMPLE = '/cookieconsent/examples/example-5-opt-in.html';

  test('a picture shows a banner of Cookie Consent only after a click on the page opened it', async () => {
    const before = await corpus.picture(EXAMPLE);
    expect(pixelsOf(before, BANNER)).toBe(0);
    const picture = await corpus.picture(EXAMPLE, { clickSelectors: ['.example-selector > *'] });
    expect(pixelsOf(picture, BANNER)).toBeGreaterThan(55_000);
  });

  test.each([
    ['vanilla-cookieconsent', '/pages/vanilla-cookieconsent.html', { hideSelectors: ['#cc-main'] }],
    ['Klaro', '/pages/klaro.html', { clickSelectors: ['.klaro .cm-btn-success'] }],
  ])(
    'a picture shows a large banner of %s, and none once it is answered, hidden or blocked',
    async (_name, path, without) => {
      const picture = await corpus.picture(path);
      const all = picture.width * picture.height;
      expect(pixelsOf(picture, PINK)).toBeLessThan(all * 0.8);
      for (const more of [without, { blockCookieBanners: true }])
        expect(pixelsOf(await corpus.picture(path, more), PINK)).toBe(all);
    },
  );
});
