// All scripts of the dashboard are in one folder of the service, which may be below a path of a proxy.
const script: string = import.meta.url;
const service = new URL('..', script.startsWith('http') ? script : 'http://localhost/assets/');

/** The path of the service on its host, without a slash at the end; usually empty. */
export const PREFIX = service.pathname.replace(/\/$/, '');

/** The address of the service that serves this page, without a slash at the end. */
export const SERVICE = `${service.origin}${PREFIX}`;
