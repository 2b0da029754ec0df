// What a page gives to its components: their host, elements' attributes, and what hangs on the window.

type Message = {type: string; [field: string]: unknown};
type Send = (message: Message, what?: string) => boolean;

// Panel's model of a component: the properties that Python declares, and this.
interface Panel {
  live?: boolean; // whether the page is whole
  on(name: string, callback: (data: ArrayBuffer) => void): void;
  send_msg(message: Message): void;
}
type PanelModel<Properties> = Properties & Panel;
type Rendered<Properties> = {model: PanelModel<Properties>; el: HTMLElement};

// anywidget's model of one
interface Widget<Properties> {
  get<Name extends keyof Properties>(name: Name): Properties[Name];
  set<Name extends keyof Properties>(name: Name, value: Properties[Name]): void;
  save_changes(): void;
  on(name: string, callback: () => void): void;
  off(name: string, callback: () => void): void;
  send(message: Message): void;
  widget_manager: {get_model(id: string): Promise<any>}; // other widgets' models
}

// What host.js makes of either
interface Host<Properties> {
  get<Name extends keyof Properties>(name: Name): Properties[Name];
  set<Name extends keyof Properties>(name: Name, value: Properties[Name]): void;
  on(name: keyof Properties & string, callback: () => void): void;
  send(message: Message): void;
  removed(callback: () => void): void; // called at the end
  end(): void; // of what is on the page: calls those callbacks, once
}

// The connection's watch (app/shared/js/connection.js), where the page has one
interface Watch {
  act(what: string, go: () => void, asks?: boolean): boolean;
  keep(key: string, value: unknown, go: () => void): void;
  left(key: string): unknown;
}

type Attribute = string | number | boolean | null | undefined;
type Listeners = {
  [Kind in keyof HTMLElementEventMap as `on${Kind}`]?: (event: HTMLElementEventMap[Kind]) => void;
};
interface Attributes extends Listeners {
  [name: `aria-${string}` | `data-${string}`]: Attribute;
  accept?: Attribute;
  alt?: Attribute;
  autocomplete?: Attribute;
  autofocus?: Attribute;
  class?: Attribute;
  download?: Attribute;
  for?: Attribute;
  height?: Attribute;
  hidden?: Attribute;
  href?: Attribute;
  id?: Attribute;
  inputmode?: Attribute;
  label?: Attribute;
  max?: Attribute;
  maxlength?: Attribute;
  method?: Attribute;
  min?: Attribute;
  name?: Attribute;
  popover?: Attribute;
  readonly?: Attribute;
  role?: Attribute;
  scope?: Attribute;
  step?: Attribute;
  style?: Attribute;
  tabindex?: Attribute;
  target?: Attribute;
  title?: Attribute;
  type?: Attribute;
  value?: Attribute;
  width?: Attribute;
}

interface Window {
  lrbnPlayers?: Player[]; // for tests and other scripts on the page
  lrbnTraining?: {board: object; tell(message: object): void};
  lrbnBoards?: object[];
  lrbnGenerators?: object[];
  lrbnComparisons?: object[];
  lrbnLessons?: object[];
  lrbnSweeps?: object[];
  /** The notebook's player, by the digest of its code. */
  lrbnCode?: Map<string, Promise<any>>;
  /** What components have to say to the server, in the order in which it was said. */
  lrbnEarly?: {host: object; live: () => boolean; isAct: boolean; at: number; go: () => void}[];
  lrbnTheme?: {readonly dark: boolean; choose(dark: boolean): void; again(): void; settled(): void}; // of the page (scheme.js)
  lrbnWayBack?: import("../lrbn_viz/app/shared/js/navigation.js").WayBack;
  lrbnConnection?: import("../lrbn_viz/app/shared/js/connection.js").Connection;
  Bokeh: {
    require(module: "client/connection"): {ClientConnection: {prototype: BokehConnection}};
    register_plugin(
      modules: BokehModules,
      entry: string,
      aliases?: Record<string, string>,
      externals?: object,
    ): object;
    embed: {embed_item(item: object, target: HTMLElement): Promise<Iterable<BokehPlotView>>};
    documents: BokehFigureDocument[];
  };
  /** Answers to what components will ask for, by address. */
  lrbnAsked?: Map<string, Promise<Response>>;
  importShim: ((address: string) => Promise<object>) & {addImportMap(map: object): void}; // how Panel imports modules
}
interface WindowEventMap {
  "lrbn-skip": CustomEvent<string>;
  "lrbn-leave": CustomEvent<[string, unknown][]>;
  "lrbn-connection": CustomEvent<{open: boolean; since: number}>;
}
interface HTMLElementEventMap {
  pointerrawupdate: PointerEvent;
}

interface Node {
  getRootNode(): ShadowRoot;
} // every component is in a shadow root of its own
interface HTMLCanvasElement {
  vector?: Painter;
} // draws it anew, sharp at any size

// Modules of a plugin of BokehJS: functions that are given what asks for others
type BokehModules = Record<
  string,
  (require: {
    (name: "@bokehjs/base"): {register_models(models: object): void};
    (name: string): object;
  }) => void
>;

// A figure that BokehJS draws, as far as the Compare page touches it
type BokehSource = {
  get_column(name: string): ArrayLike<string | number> | null;
  selected: {
    indices: number[];
    properties: {indices: object};
    on_change(property: object, act: () => void): void;
  };
};
type BokehFigureDocument = {clear(): void};
type BokehPlotView = {
  model: {document: BokehFigureDocument | null; renderers: {data_source?: BokehSource}[]};
  canvas_view?: {events_el: HTMLElement};
  export(kind: "png" | "svg", hidpi: boolean): {to_blob(): Promise<Blob>};
};

// BokehJS's websocket, as far as the watch touches it
interface BokehConnection {
  token: string;
  socket: WebSocket | null;
  session: {
    document: {
      config: {setv(values: object, options: object): void};
      on_event(name: string, callback: () => void): void;
    };
    request_server_info(): Promise<unknown>;
  } | null;
  send(message: {msgtype(): string}): void;
  connect(): Promise<unknown>;
  _on_message(event: MessageEvent): void;
  _repull_session_doc(resolve: (session: unknown) => void, reject: (error: unknown) => void): void;
  _pull_doc_json(): Promise<{doc_json: unknown}>;
  _pending_replies: Map<string, {reject(reason: string): void}>;
  _receiver: object;
}
