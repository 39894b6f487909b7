const stated = document.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content ?? '';

/** The name of the service, as the page that came says it. */
export const brand: string = stated === '' || stated.startsWith('%') ? 'Afterbell' : stated;
