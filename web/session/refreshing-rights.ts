let isRefreshing = false;

/** Whether guards run because permissions changed under an open page. Its user then gets the start page instead of an error. */
export const isRefreshingRights = (): boolean => isRefreshing;

/** Runs `work`, during which guards know that permissions changed. */
export const whileRefreshingRights = async (work: () => Promise<void>): Promise<void> => {
  isRefreshing = true;
  try {
    await work();
  } finally {
    isRefreshing = false;
  }
};
