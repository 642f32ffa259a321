/** The addresses of the dashboard that the service knows, for the tests of the dashboard. */
export { PAGES } from '#server/http/dashboard';
