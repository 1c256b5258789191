import { Component, type ComponentType, createContext, type ReactNode, Suspense, use, useEffect } from 'react';
import { RouterContext, useRouter, useScreen } from './hooks.ts';
import { pendingOf, type Router, type Screen } from './router.ts';

interface BoundaryProps {
  /** Another one is a new try. */
  screen: Screen;
  errorComponent: ComponentType<{ error?: unknown }>;
  children: ReactNode;
}

/** Shows an error in place of what failed to render. */
class Boundary extends Component<BoundaryProps, { screen: Screen | null; failure: { error: unknown } | null }> {
  override state = { screen: null, failure: null as { error: unknown } | null };
  static getDerivedStateFromError = (error: unknown) => ({ failure: { error } });
  static getDerivedStateFromProps = ({ screen }: BoundaryProps, state: { screen: Screen | null }) =>
    screen === state.screen ? null : { screen, failure: null };
  override render(): ReactNode {
    const { failure } = this.state;
    const { errorComponent: Failed, children } = this.props;
    return failure ? <Failed error={failure.error} /> : children;
  }
}

const Depth = createContext(0);

/** The frame or page inside this frame. */
export const Outlet = () => {
  const depth = use(Depth);
  const { errorComponent } = useRouter().options;
  const screen = useScreen();
  const match = screen.matches[depth];
  if (!match) return null;
  const Pending = pendingOf(match.route);
  // Without keys: two paths with the same page are one page.
  return (
    <Depth value={depth + 1}>
      <Boundary screen={screen} errorComponent={errorComponent}>
        <Suspense fallback={Pending && <Pending />}>{match.element}</Suspense>
      </Boundary>
    </Depth>
  );
};

export const RouterProvider = ({ router }: { router: Router }) => {
  useEffect(() => router.start(), [router]);
  return (
    <RouterContext value={router}>
      <Outlet />
    </RouterContext>
  );
};
