// The page of `lithe live`: follows the model while it is edited. Told by the server what is new, it shows errors, puts new
// reports in place of old ones, and sends back sliders, pulls and verbs.

import { checked, readReport, Report } from './contract';
import { LivePanel, News, Parameter } from './live_panel';
import type { Page } from './main';

const again = 1000; // ms until a server that is gone is asked once more
const patience = 250; // ms that a slider waits for the answer to its last step before it sends the next one

class Live {
  private page: Page | null;
  private view: 'run' | 'pose' = 'run';
  private news: News | null = null;
  private known = { pose: 0, run: 0 };
  private reports: { pose: Report | null; run: Report | null } = { pose: null, run: null };
  private readonly panel: LivePanel;
  private values: Record<string, string> = {};
  private unsent = false;
  private answered: Promise<unknown> = Promise.resolve();
  private awaited = { change: 0, sent: 0 }; // the step of a slider that is on its way, ms when
  private pulls: { busy: boolean; next: object | null } = { busy: false, next: null };

  constructor(private readonly token: string, page: Page | null, private readonly makePage: (report: Report) => Page) {
    this.page = page;
    this.panel = new LivePanel({
      slide: (parameter, value) => this.slide(parameter, value),
      unslide: () => { void this.send(); },
      show: (view) => this.show(view),
      pull: (request) => this.pull(request),
      verb: (verb) => { void this.post('verb', { verb }); },
    });
    void this.listen();
  }

  private ask(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(path, { ...init, headers: { 'X-Lithe-Token': this.token } });
  }

  private async post(path: string, body: object): Promise<Response | null> {
    const answer = await this.ask(`/${path}`, { method: 'POST', body: JSON.stringify(body) }).catch(() => null);
    if (answer && !answer.ok) this.panel.complain((await answer.text()).trim());
    return answer?.ok ? answer : null;
  }

  private async listen(): Promise<never> {
    for (let version = 0; ;) {
      try {
        await this.answered; // a step of a slider brings what the page waits for: news would only take time away from it
        const answer = await this.ask(`/news?since=${version}`);
        if (!answer.ok) throw new Error(await answer.text());
        const news = (await answer.json()) as News;
        if (news.closed) throw new Error('lithe live has ended');
        version = news.version;
        await this.take(news);
      } catch {
        version = 0;
        this.panel.lost();
        await new Promise((done) => setTimeout(done, again));
      }
    }
  }

  private async take(news: News): Promise<void> {
    this.news = news;
    if (this.awaited.change === Infinity) return; // the answer to the slider is on its way, with its report
    this.panel.tell(news, this.isSliding());
    await this.refresh();
    const arrived = news[this.shown].change >= this.awaited.change || (news.errors.length > 0 && !news.reading);
    if (this.awaited.change > 0 && arrived) await this.isShown();
  }

  /** Fetches and draws what is to be seen, when there is something new. */
  private async refresh(): Promise<void> {
    const kind = this.shown, number = this.news?.[kind].number ?? 0;
    if (number === 0 || number === this.known[kind]) return;
    const answer = await this.ask(`/${kind}`);
    if (!answer.ok) return;
    this.known[kind] = number;
    this.reports[kind] = readReport(await answer.text());
    if (kind === this.shown) this.draw(false);
  }

  /** Which report is drawn: that of the run, as soon as there is one. */
  private get shown(): 'run' | 'pose' { return this.view === 'run' && (this.news?.run.number ?? 0) > 0 ? 'run' : 'pose'; }

  private draw(steady: boolean): void {
    const report = this.reports[this.shown];
    if (!report) return;
    if (this.page) this.page.replace(report, steady);
    else this.page = this.makePage(report);
    this.letPull();
    if (report.pose) this.panel.tellPose(report.pose, report.results[0]?.scene?.modes ?? []);
  }

  private show(view: 'run' | 'pose'): void {
    this.view = view;
    this.panel.show(view);
    this.draw(false);
    void this.refresh();
  }

  /** In the pose view frames follow the pointer. */
  private letPull(): void {
    const { stage } = this.page ?? {};
    if (!stage) return;
    stage.puller = this.view === 'pose' ? (frame, place) => this.pull({ frame, to: place.toArray() }) : null;
  }

  /** One pull is on its way at a time; of those that come meanwhile the last one goes next. */
  private pull(request: object): void {
    this.pulls.next = request;
    if (!this.pulls.busy) void this.pullOn();
  }

  private async pullOn(): Promise<void> {
    this.pulls.busy = true;
    while (this.pulls.next) {
      const request = this.pulls.next;
      this.pulls.next = null;
      const sent = performance.now(), answer = await this.post('pull', request);
      if (!answer) continue;
      this.reports.pose = readReport(await answer.text());
      if (this.shown === 'pose') this.draw(true);
      const drawn = performance.now() - sent;
      await nextFrame();
      this.panel.measured(performance.now() - sent, drawn);
    }
    this.pulls.busy = false;
  }

  private isSliding(): boolean { return this.unsent || this.awaited.change > 0; }

  private slide(parameter: Parameter, value: string): void {
    this.values[parameter.name] = parameter.unit ? `${value} ${parameter.unit}` : value;
    this.unsent = true;
    if (this.awaited.change === 0 || performance.now() - this.awaited.sent > patience) void this.send();
    else setTimeout(() => { if (this.unsent && performance.now() - this.awaited.sent > patience) void this.send(); }, patience + 10);
  }

  private async send(): Promise<void> {
    const { values } = this;
    this.unsent = false;
    this.values = {};
    const step = (this.awaited = { change: Infinity, sent: performance.now() });
    const kind = this.shown, asked = this.post(`parameters?show=${kind}`, values);
    this.answered = asked;
    const answer = await asked;
    const { change, number, report } = (answer ? JSON.parse(await answer.text()) : { change: 0 }) as { change: number; number?: number; report?: Report };
    if (this.awaited !== step) return; // a later step is on its way
    step.change = change;
    if (change === 0) return;
    if (!report || number === undefined) { // later, with the news
      if (this.news) await this.take(this.news);
      return;
    }
    this.reports[kind] = checked(report);
    this.known[kind] = number;
    if (kind === this.shown) this.draw(false);
    await this.isShown();
  }

  /** The answer to the last step of a slider is on the screen. */
  private async isShown(): Promise<void> {
    const { sent } = this.awaited, drawn = performance.now() - sent;
    await nextFrame();
    this.panel.measured(performance.now() - sent, drawn);
    this.awaited.change = 0;
    if (this.unsent) void this.send();
    else if (this.news) this.panel.tell(this.news, false); // now the sliders may follow
  }
}

/** What was asked for is on the screen. */
function nextFrame(): Promise<void> {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
}

export function startLive(token: string, page: Page | null, makePage: (report: Report) => Page): void {
  new Live(token, page, makePage);
}
