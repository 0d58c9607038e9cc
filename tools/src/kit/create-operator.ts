/** Somebody who calls the API with a key. */
export interface Operator {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: object): Promise<T>;
  put<T>(path: string, body: object): Promise<T>;
}

/** Calls the API with a key. They throw where it refuses, with what it says. */
export function createOperator(url: string, key: string): Operator {
  const call = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    const body = (await response.json()) as { detail?: string };
    if (response.ok) return body as T;
    throw new Error(`${init.method} ${path}: ${response.status} ${body.detail ?? ''}`);
  };
  return {
    get: (path) => call(path, { method: 'GET' }),
    put: (path, body) => call(path, { method: 'PUT', body: JSON.stringify(body) }),
    post: (path, body) => call(path, { method: 'POST', ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
  };
}
