import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Address, linkTo, useAddress } from "./address.js";
import { ComparePage } from "./compare/ComparePage.jsx";
import { DatasetList } from "./datasets/DatasetList.jsx";
import { DatasetPage } from "./datasets/DatasetPage.jsx";
import { JobList } from "./jobs/JobList.jsx";
import { JobPage } from "./jobs/JobPage.jsx";
import { MetricsPage } from "./metrics/MetricsPage.jsx";
import { Announcer } from "./parts/Announcer.jsx";
import { Heading } from "./parts/Heading.jsx";
import { KeysDialog } from "./parts/KeysDialog.jsx";
import { Empty } from "./parts/States.jsx";
import { ThemeSwitch } from "./parts/ThemeSwitch.jsx";
import { TokenDialog } from "./parts/TokenDialog.jsx";
import { RunList } from "./runs/RunList.jsx";
import { RunPage } from "./runs/RunPage.jsx";
import { SamplesPage } from "./samples/SamplesPage.jsx";
import { ScorerList } from "./scorers/ScorerList.jsx";
import { ScorerPage } from "./scorers/ScorerPage.jsx";
import { useAway } from "./service/reach.js";
import { setToken, useToken } from "./service/token.js";
import type { ViewProps } from "./viewProps.js";

interface View {
  readonly name: string;
  readonly list: ComponentType<{ params: URLSearchParams }>;
  /** Of one, where the address names one. */
  readonly one?: ComponentType<ViewProps>;
}

const VIEWS: Readonly<Record<string, View>> = {
  runs: { name: "Runs", list: RunList, one: RunPage },
  metrics: { name: "Metrics", list: MetricsPage },
  compare: { name: "Compare", list: ComparePage },
  samples: { name: "Samples", list: SamplesPage },
  jobs: { name: "Jobs", list: JobList, one: JobPage },
  datasets: { name: "Data sets", list: DatasetList, one: DatasetPage },
  scorers: { name: "Scorers", list: ScorerList, one: ScorerPage },
};

/** The whole page. */
export function App() {
  const address = useAddress();
  useEffect(() => {
    // On a phone the views' names are wider than the screen.
    document.querySelector(".top nav [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [address.view]);
  const { token, wanted, changes } = useToken();
  const away = useAway();
  const [keys, setKeys] = useState(false);
  useEffect(() => {
    const listen = ({ key, target }: KeyboardEvent) => {
      const typing = target instanceof HTMLElement && /^(?:input|textarea|select)$/i.test(target.tagName);
      if (key === "?" && !typing && document.querySelector("dialog[open]") === null) setKeys(true);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads into this page, and says so to who listens */}
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // The part behind # is the view's; the jump is made by hand.
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href={linkTo("runs")}>
          Elenchus
        </a>
        <nav aria-label="Views">
          {Object.entries(VIEWS).map(([view, { name }]) => (
            <a key={view} href={linkTo(view)} aria-current={address.view === view ? "page" : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <div class="top-tools">
          <button
            type="button"
            class="plain"
            aria-label="Keys"
            title="Keys (?)"
            onClick={() => setKeys(true)}
          >
            ?
          </button>
          {token !== null && (
            <button type="button" class="plain" onClick={() => setToken(null)}>
              Forget token
            </button>
          )}
          <ThemeSwitch />
        </div>
      </header>
      <div role="status">
        {away && <p class="away">The service cannot be reached. What is shown goes on once it is back.</p>}
      </div>
      {/* Made anew with another token: what was shown may not be this one's to see. */}
      <main id="main" tabIndex={-1} key={changes}>
        <Shown {...address} />
      </main>
      <Announcer />
      {wanted !== null && <TokenDialog why={wanted} />}
      {keys && <KeysDialog close={() => setKeys(false)} />}
    </>
  );
}

function Shown({ view, id, params }: Address) {
  const found = Object.hasOwn(VIEWS, view) ? VIEWS[view] : undefined;
  if (found !== undefined && id === undefined) return <found.list key={view} params={params} />;
  if (found?.one !== undefined && id !== undefined) {
    return <found.one key={`${view}/${id}`} id={id} params={params} />;
  }
  return (
    <>
      <Heading title="Nothing here" />
      <Empty title="This address leads nowhere.">
        <a href={linkTo("runs")}>All runs</a>
      </Empty>
    </>
  );
}
