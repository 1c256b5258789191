import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { memoryHistory } from '../testing/memory-history.ts';
import { useLocation, useParams, useRouter, useSearch } from './hooks.ts';
import { Link } from './link.tsx';
import { Outlet, RouterProvider } from './outlet.tsx';
import { Router } from './router.ts';
import { createRoute, type Frame, notFound, type PageComponent, type Route, redirect } from './routes.ts';
import { useBack } from './use-back.ts';
import { useBlocker } from './use-blocker.ts';

const root: Frame = { parent: null, component: Outlet };
const text = (content: string) => () => <p>{content}</p>;
const page = (path: string, rest: Partial<Route> = {}): Route =>
  createRoute({ parent: root, path, component: text(`page ${path}`), ...rest });

/** A frame that shows when its page is pending. */
const pending: Frame = { parent: root, component: Outlet, pendingPage: text('pending') };

/** Returns a page, and a function that lets its code arrive. */
const lateComponent = (content: string): { component: PageComponent; arrive: () => void } => {
  let arrive = (): void => {};
  const component: PageComponent = text(content);
  const loading = new Promise<void>((resolve) => {
    arrive = () => {
      delete component.preload;
      resolve();
    };
  });
  component.preload = () => loading;
  return { component, arrive };
};

const open = (routes: Route[], path = '/', history = memoryHistory(path)) => {
  const router = new Router({
    routes,
    history,
    pendingMs: 20,
    notFoundComponent: ({ data }) => <p>not found {String(data)}</p>,
    errorComponent: ({ error }) => <p>failed {String(error)}</p>,
  });
  render(<RouterProvider router={router} />);
  return router;
};
const go = (router: Router, to: string): Promise<void> => act(() => router.navigate({ to }));

afterEach(cleanup);

test('a guard may lead elsewhere, say that there is no page, or fail; the frame stays', async () => {
  const frame: Frame = {
    parent: root,
    component: () => (
      <main>
        <Outlet />
      </main>
    ),
  };
  const refusing = (path: string, thrown: unknown) =>
    page(path, {
      parent: frame,
      beforeLoad: () => {
        throw thrown;
      },
    });
  const router = open([
    page('/'),
    refusing('/old', redirect({ to: '/new?p=1' })),
    refusing('/none', notFound({ data: 'here' })),
    refusing('/broken', new Error('no network')),
    page('/new', { parent: frame }),
  ]);
  await screen.findByText('page /');
  await go(router, '/old');
  expect([router.location.href, router.history.location.index]).toEqual(['/new?p=1', 1]);
  expect(screen.getByRole('main').textContent).toBe('page /new');
  await go(router, '/none');
  expect(screen.getByRole('main').textContent).toBe('not found here');
  await go(router, '/broken');
  expect(screen.getByRole('main').textContent).toBe('failed Error: no network');
});

test('the page before stays until the next one is there, or for a moment; then something pending is shown', async () => {
  const { component, arrive } = lateComponent('late');
  const router = open([page('/'), page('/late', { parent: pending, component })]);
  await screen.findByText('page /');
  let navigated: Promise<void> | undefined;
  act(() => void (navigated = router.navigate({ to: '/late' })));
  expect(screen.getByText('page /')).toBeTruthy();
  expect(await screen.findByText('pending')).toBeTruthy();
  arrive();
  await act(async () => navigated);
  expect(screen.getByText('late')).toBeTruthy();
  expect(router.isIdle).toBe(true);
});

test('a page that was left before it came is not even pending later', async () => {
  const { component } = lateComponent('late');
  const router = open([page('/'), page('/late', { parent: pending, component })]);
  await screen.findByText('page /');
  act(() => void router.navigate({ to: '/late' }));
  // Past its guards, and before it counts as late.
  await act(() => new Promise((passed) => setTimeout(passed, 2)));
  await act(async () => router.history.back());
  await act(() => new Promise((passed) => setTimeout(passed, 60)));
  expect(screen.getByText('page /')).toBeTruthy();
});

test('after a slow guard a page shows as pending until its code has loaded', async () => {
  const { component, arrive } = lateComponent('late');
  let allow = (): void => {};
  const asked = new Promise<void>((resolve) => {
    allow = resolve;
  });
  open([page('/late', { parent: { ...pending, beforeLoad: () => asked }, component })], '/late');
  await act(() => new Promise((passed) => setTimeout(passed, 50)));
  allow();
  expect(await screen.findByText('pending')).toBeTruthy();
  await act(async () => arrive());
  expect(await screen.findByText('late')).toBeTruthy();
});

test('of two navigations, the later one counts, and both promises wait for it', async () => {
  const { component, arrive } = lateComponent('late');
  const router = open([page('/'), page('/late', { component }), page('/quick')]);
  await screen.findByText('page /');
  const seen: string[] = [];
  router.onResolved(({ href }) => seen.push(href));
  await act(async () => {
    const first = router.navigate({ to: '/late' });
    await router.navigate({ to: '/quick' });
    arrive();
    await first;
  });
  expect(screen.getByText('page /quick')).toBeTruthy();
  expect(seen).toEqual(['/quick']);
});

test('a query is written as its page writes it, and the same query stays the same object', async () => {
  const searches: object[] = [];
  const List = () => {
    searches.push(useSearch());
    return <p>list</p>;
  };
  const validateSearch = ({ p }: { p?: unknown }) => (typeof p === 'number' ? { p } : {});
  const router = open([page('/'), page('/list/$id', { component: List, validateSearch })], '/list/7?x=1&p=2');
  await screen.findByText('list');
  expect([router.location.href, router.history.location.index]).toEqual(['/list/7?p=2', 0]);
  await act(() => router.navigate({ to: '.', search: { p: 2, y: 1 }, state: { typed: 'a' } }));
  expect(router.history.location).toMatchObject({ href: '/list/7?p=2', index: 1, state: { typed: 'a' } });
  expect(new Set(searches).size).toBe(1);
  await act(() => router.navigate({ to: '.', search: { p: 2 }, state: true }));
  expect(router.history.location.index).toBe(1);
});

test('parameters and the location are those of the page', async () => {
  const Story = () => (
    <p>
      {useParams().patientId} at {useLocation({ select: ({ pathname }) => pathname })}
    </p>
  );
  const router = open([page('/'), page('/patients/$patientId', { component: Story })]);
  await screen.findByText('page /');
  await go(router, '/patients/1%2F2');
  expect(screen.getByText('1/2 at /patients/1%2F2')).toBeTruthy();
});

test('what fails to render is replaced by an error until another page is opened', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const Broken = () => {
    if (useSearch()['ok']) return <p>mended</p>;
    throw new Error('bad row');
  };
  const router = open([page('/', { component: Broken })]);
  expect(await screen.findByText('failed Error: bad row')).toBeTruthy();
  await go(router, '/?ok=1');
  expect(screen.getByText('mended')).toBeTruthy();
  vi.restoreAllMocks();
});

test('two paths with one page are one page', async () => {
  const List = () => <input aria-label="search" />;
  const router = open([page('/list', { component: List }), page('/list/$id', { component: List })], '/list');
  fireEvent.change(await screen.findByLabelText('search'), { target: { value: 'kept' } });
  await go(router, '/list/7');
  expect(screen.getByLabelText<HTMLInputElement>('search').value).toBe('kept');
});

test('a link is an anchor: the browser has clicks for new tabs, and the router has the others', async () => {
  const loader = vi.fn();
  const Links = () => (
    <>
      <Link to="/a" search={{ p: 2 }} preload="intent">
        plain
      </Link>
      <Link to="/a" target="_blank">
        new tab
      </Link>
      <Link to="/a" download>
        file
      </Link>
      <Link to="/a" onClick={(event) => event.preventDefault()}>
        held
      </Link>
      <Outlet />
    </>
  );
  const frame: Frame = { parent: root, component: Links };
  const router = open([page('/', { parent: frame }), page('/a', { parent: frame, loader })]);
  const plain = await screen.findByRole('link', { name: 'plain' });
  expect(plain.getAttribute('href')).toBe('/a?p=2');
  fireEvent.mouseEnter(plain);
  expect(loader).toHaveBeenCalledTimes(1);
  // What the router leaves to the browser would open another page here.
  const goes = (link: Element, how: object = {}): boolean => fireEvent.click(link, { button: 0, ...how });
  document.addEventListener('click', (event) => event.preventDefault(), { once: false });
  for (const how of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])
    goes(plain, how);
  for (const name of ['new tab', 'file', 'held']) goes(screen.getByRole('link', { name }));
  expect(router.location.href).toBe('/');
  await act(async () => void goes(plain));
  expect(router.location.href).toBe('/a?p=2');
  expect(plain.getAttribute('aria-current')).toBe('page');
  expect(plain.dataset['status']).toBe('active');
});

test('back and forward are blocked too: the address stays until the user has answered', async () => {
  const Held = () => {
    const question = useBlocker(true, (path) => path === '/login');
    return (
      <>
        <p>held</p>
        {question && <button onClick={question.proceed}>leave</button>}
        {question && <button onClick={question.reset}>stay</button>}
      </>
    );
  };
  const router = open([page('/'), page('/held', { component: Held }), page('/login')]);
  await screen.findByText('page /');
  await go(router, '/held');
  act(() => router.history.back());
  fireEvent.click(await screen.findByRole('button', { name: 'stay' }));
  expect([router.history.location.href, screen.queryByText('held') !== null]).toEqual(['/held', true]);
  act(() => router.history.back());
  fireEvent.click(await screen.findByRole('button', { name: 'leave' }));
  expect(await screen.findByText('page /')).toBeTruthy();
  expect(router.history.location).toMatchObject({ href: '/', index: 0 });
  act(() => router.history.go(1));
  await screen.findByText('held');
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
  await go(router, '/login');
  expect(screen.getByText('page /login')).toBeTruthy();
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
});

test('Back closes the layer on top, and then leaves the page; a link leaves it at once', async () => {
  const Layer = ({ name }: { name: string }) => {
    const [isOpen, set] = useState(true);
    useBack(() => set(false), isOpen);
    return isOpen && <p>{name}</p>;
  };
  const Layers = () => (
    <>
      <Layer name="lower" />
      <Layer name="upper" />
    </>
  );
  const router = open([page('/'), page('/layers', { component: Layers })]);
  await screen.findByText('page /');
  await go(router, '/layers');
  act(() => router.history.back());
  expect([screen.queryByText('lower') !== null, screen.queryByText('upper') !== null]).toEqual([true, false]);
  act(() => router.history.back());
  expect(screen.queryByText('lower')).toBeNull();
  expect(router.history.location.href).toBe('/layers');
  act(() => router.history.back());
  expect(await screen.findByText('page /')).toBeTruthy();
  await go(router, '/layers');
  await go(router, '/');
  expect(screen.getByText('page /')).toBeTruthy();
});

test('Back closes a layer at the first entry too, and then leaves the application from the same page', async () => {
  const Layers = () => {
    const [isOpen, set] = useState(false);
    useBack(() => set(false), isOpen);
    return isOpen ? <p>layer</p> : <button onClick={() => set(true)}>open</button>;
  };
  const router = open([page('/', { component: Layers }), page('/next')]);
  const opens = async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'open' }));
    await screen.findByText('layer');
  };
  await opens();
  act(() => router.history.back());
  await opens();
  act(() => router.history.back());
  expect([screen.queryByText('layer'), router.history.canGoBack()]).toEqual([null, false]);
  await act(() => router.navigate({ to: '/', search: { p: 2 }, replace: true }));
  await go(router, '/next');
  act(() => router.history.back());
  expect(await screen.findByRole('button', { name: 'open' })).toBeTruthy();
  act(() => router.history.back());
  expect(router.history.location).toMatchObject({ href: '/?p=2', index: 0, isDoubled: false });
});

test('a layer in the address that Back closes changes the address of its own page, and no other', async () => {
  const Panel = () => {
    const router = useRouter();
    const { isOpen } = useSearch() as { isOpen?: boolean };
    const toggle = (to: boolean) => void router.navigate({ to: '/list', search: { isOpen: to }, replace: true });
    useBack(() => toggle(false), isOpen ?? false);
    return isOpen ? <p>panel</p> : <button onClick={() => toggle(true)}>open</button>;
  };
  const router = open([page('/'), page('/list', { component: Panel })], '/', memoryHistory('/', {}, { isLate: true }));
  await screen.findByText('page /');
  await go(router, '/list');
  fireEvent.click(screen.getByRole('button', { name: 'open' }));
  await screen.findByText('panel');
  act(() => router.history.back());
  await screen.findByRole('button', { name: 'open' });
  expect(router.history.location.href).toBe('/list?isOpen=false');
  act(() => router.history.back());
  expect(await screen.findByText('page /')).toBeTruthy();
  expect(router.history.location.href).toBe('/');
});
