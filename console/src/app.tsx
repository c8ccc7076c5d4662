// What stands around every page: the bar, the navigation, messages, and the dialog to sign in.

import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isOnline } from "./api/client";
import { type Page, pages } from "./pages";
import { SignIn } from "./sign_in";
import { credentials, needsSignIn } from "./state/session";
import { href, route } from "./state/router";
import { type Theme, theme } from "./state/theme";
import { Button } from "./ui/controls";
import { Empty, ErrorNotice, Loading } from "./ui/notice";
import { Icon } from "./ui/icon";
import { Toasts } from "./ui/toast";

const themes: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#2f5d62" />
      <path d="M4.500 11.500c3-3.200 8.200-4.300 12.500-3.900s8.200 1.400 10.500 3.600c.500 1-.100 2.300-1.200 2.500-7 .900-14.500.900-20.600.300-1.300-.100-1.900-1.500-1.200-2.500z" fill="#f3efe6" />
      <path d="M8 15.600l4.200.300-.700 9.300H7.300zM20 15.900l4.300-.400 1 9.700h-4.500z" fill="#f3efe6" />
    </svg>
  );
}

function Bar({ page, onMenu, menuOpen }: { page: Page | undefined; onMenu: () => void; menuOpen: boolean }) {
  const { parts } = route.value;
  return (
    <header class="bar">
      <span class="menu-button"><Button kind="quiet" icon="menu" label="Navigation" expanded={menuOpen} onClick={onMenu} /></span>
      <a class="brand" href="#/tables" aria-label="Dolmen: tables"><Logo /><span>Dolmen</span></a>
      <nav class="crumbs grow" aria-label="Where you are">
        {page && (parts.length > 1
          ? <><span aria-hidden="true">/</span><a href={href([page.id])}>{page.title}</a><span aria-hidden="true">/</span><span class="data" aria-current="page">{parts[1]}</span></>
          : <><span aria-hidden="true">/</span><span aria-current="page">{page.title}</span></>)}
      </nav>
      {(credentials.value !== null || needsSignIn.value) && (
        <Button kind="quiet" icon="key" title="The key that requests are signed with" onClick={() => (needsSignIn.value = true)}>
          {credentials.value?.keyId ?? "Sign in"}
        </Button>
      )}
      <Button kind="quiet" icon={theme.value === "dark" ? "moon" : "sun"} label={`Colours: ${theme.value}`} onClick={() => (theme.value = themes[theme.value])} />
    </header>
  );
}

function Navigation({ current, open }: { current: string; open: boolean }) {
  const sections = [...new Set(pages.map(({ section }) => section))];
  return (
    <nav class={open ? "nav open" : "nav"} aria-label="Pages">
      {sections.map((section) => (
        <section key={section}>
          <h2>{section}</h2>
          {pages.filter((page) => page.section === section).map(({ id, title, icon }) => (
            <a key={id} href={href([id])} aria-current={id === current ? "page" : undefined}><Icon name={icon} />{title}</a>
          ))}
        </section>
      ))}
    </nav>
  );
}

const loaded = new Map<string, ComponentType>();

function PageView({ page }: { page: Page }) {
  const [, redraw] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const load = () => {
    setError(null);
    page.load().then(
      (module) => { loaded.set(page.id, module.default); redraw((turn) => turn + 1); },
      (failure: unknown) => setError(failure),
    );
  };
  useEffect(() => { if (!loaded.has(page.id)) load(); }, [page.id]);
  const View = loaded.get(page.id);
  if (View) return <View />;
  return <div class="page">{error === null ? <Loading what={`the page ${page.title}`} /> : <ErrorNotice error={error} onRetry={load} />}</div>;
}

export function App() {
  const [menuOpen, setMenuOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const id = route.value.parts[0] ?? "tables";
  const page = pages.find((each) => each.id === id);
  const address = route.value.parts.join("/");
  const before = useRef(address);
  useEffect(() => {
    document.title = page ? [route.value.parts[1], page.title, "Dolmen"].filter(Boolean).join(" · ") : "Dolmen";
    setMenuOpen(false);
    // Whoever follows a link goes on reading at the page.
    if (before.current !== address) main.current?.focus({ preventScroll: true });
    before.current = address;
  }, [address]);
  return (
    <div class="shell" onKeyDown={(event) => event.key === "Escape" && setMenuOpen(false)}>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); main.current?.focus(); }}>Skip to the page</a>
      <Bar page={page} menuOpen={menuOpen} onMenu={() => setMenuOpen(!menuOpen)} />
      <Navigation current={id} open={menuOpen} />
      <main class="main" id="main" ref={main} tabIndex={-1}>
        {!isOnline.value && <div class="banner" role="status"><span class="spinner" aria-hidden="true" /> The server does not answer. Trying again every second.</div>}
        {page
          ? <PageView key={page.id} page={page} />
          : <div class="page"><Empty icon="query" title={`There is no page "${id}"`}><a href="#/tables">To the tables</a></Empty></div>}
      </main>
      <Toasts />
      {needsSignIn.value && <SignIn />}
    </div>
  );
}
