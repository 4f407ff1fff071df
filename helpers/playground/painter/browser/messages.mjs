// What the browser and whoever owns the mask say to each other, as messages.py has it: types alone.

/**
 * @typedef {object} Sender who speaks
 * @property {string} client the random name of the page
 * @property {number} seen the number of its last operation that a frame has named as applied
 */

/**
 * @typedef {object} HelloFields a page is there; it gets a frame
 * @property {"hello"} kind
 * @typedef {Sender & HelloFields} Hello
 */

/**
 * @typedef {object} ShownFields a frame stands on the screen
 * @property {"shown"} kind
 * @property {number} frame its number
 * @typedef {Sender & ShownFields} Shown
 */

/**
 * @typedef {object} Question what is the exact value of a cell?
 * @property {"value"} kind
 * @property {number} cell its flat index: row · columns + column
 */

/**
 * @typedef {object} OperationFields a change, or an order
 * @property {string} kind
 * @property {number} seq 1, 2, 3, … for each client
 * @property {number} mask the number of the mask that its browser saw, as a frame has named it
 * @typedef {Sender & OperationFields} Operation
 */

/**
 * @typedef {object} PaintFields freeze or thaw cells; one buffer: their flat indexes, int32
 * @property {number} stroke all parts of one stroke have its number
 * @property {boolean} frozen true = freeze
 * @typedef {Operation & PaintFields} Paint
 */

/**
 * @typedef {object} PresetFields freeze the "largest" weights of the grid, or cells at "random"
 * @property {number} fraction of all cells, 0 to 1
 * @typedef {Operation & PresetFields} Preset
 */

/**
 * @typedef {object} ChooseFields choose a setting
 * @property {string} name
 * @property {string | number | null} value a name that its list offers; of a speed steps a second, of a knob a number
 * @typedef {Operation & ChooseFields} Choose
 */

/**
 * @typedef {object} PinFields record a cell under the microscope, or no more
 * @property {string} page
 * @property {number} cell its flat index on that page
 * @property {boolean} pinned
 * @typedef {Operation & PinFields} Pin
 */

/**
 * @typedef {object} BetFields say what is bet of the predicted cells
 * @property {string} claim "leak" or "stay"
 * @typedef {Operation & BetFields} Bet
 */

/**
 * @typedef {object} PasteFields put in force what a line of text says
 * @property {string} line
 * @typedef {Operation & PasteFields} Paste
 */

/**
 * @typedef {object} Pinned a cell under the microscope
 * @property {string} page
 * @property {number} row
 * @property {number} column
 * @property {string} name what it is called on screen
 * @property {number} points of its curves
 * @property {[number, string][]} marks steps at which something else was chosen
 */

/**
 * @typedef {object} Progress how training goes: what a frame's header has if somebody trains
 * @property {number} [step]
 * @property {number | null} [loss] of the last step
 * @property {number | null} [speed] steps a second
 * @property {number | null} [goal] the step at which training ends, if it does
 * @property {string} [device]
 * @property {Record<string, number>} [accuracy] share that is right of held-out data, 0 to 1
 * @property {Record<string, number | null>} [by_page] the same of each page's own examples; null: not yet
 * @property {string[]} [held_out] what `accuracies` of Planes are of
 * @property {string} [page]
 * @property {string} [claim]
 * @property {number | null} [leaked_at] after how many steps a frozen cell was last seen to have changed
 * @property {boolean} [judged] whether training has gone on since the bet was made
 * @property {boolean[]} [goals] which goals have been reached, in their order
 * @property {{ cells: Pinned[], quantities: string[] }} [microscope]
 */

/**
 * @typedef {object} HeaderFields all of a frame but its planes
 * @property {number} frame its number
 * @property {Record<string, number>} applied client -> its last operation that the frame holds
 * @property {number} mask the number of the mask that is shown
 * @property {number | null} bets the number of that of the bets
 * @property {number} scale the weight that 127 stands for in `weights`
 * @property {number} moved_scale the distance that 255 stands for in `moved`
 * @typedef {Progress & HeaderFields} Header
 */

/**
 * @typedef {object} FrameFields everything there is to see; its buffers are the planes
 * @property {"frame"} kind
 * @property {(keyof Planes)[]} planes
 * @typedef {Header & FrameFields} Frame
 */

/**
 * @typedef {object} Planes the buffers of a frame
 * @property {DataView} weights int8 a cell
 * @property {DataView} moved uint8 a cell
 * @property {DataView} frozen a bit a cell
 * @property {DataView} leaked a bit a cell
 * @property {DataView} predicted a bit a cell
 * @property {DataView} curve float32: steps, then their losses
 * @property {DataView} [accuracies] float32: steps, then shares of right answers, for each of `held_out`
 * @property {DataView} traces float32 of pinned cells
 */

/**
 * @typedef {object} Value the reply to a question
 * @property {"value"} kind
 * @property {number} cell
 * @property {string} name what it is called on screen
 * @property {string} value nine digits
 * @property {string} was the same of the value before the first step
 */

/**
 * @typedef {object} Text the reply to "share", a line of text and maybe a link to it, or to "paste", a remark or nothing
 * @property {"code" | "link" | "pasted"} kind
 * @property {string} text
 */

/**
 * @typedef {object} Overlay an array that a page brings along, to be drawn as heat
 * @property {string} name
 * @property {number} largest of its numbers, on any page
 * @property {Record<string, DataView>} pages float32: for each page its numbers, row by row
 */

/**
 * @typedef {object} Traits what a model answers to `get`; those of a run are missing where nobody trains
 * @property {[number, number]} shape rows and columns
 * @property {DataView} colours two tables of 256 colours, three bytes each: for weights, and for moved
 * @property {{ header: Header } & Planes} frame as things stand when it is asked for
 * @property {string} status "training", "paused", "failed" or "closed"
 * @property {string} error what to show where the person looks; "" for nothing
 * @property {boolean} [calm] whether that is no error
 * @property {{ rows: string[], columns: string[], first: string, last: string }} names what stands
 *   beside the grid, a name each or none, and what its first and last cell are called
 * @property {{ disconnected: string, silent: string }} texts what to say when the other side is gone, and
 *   when it does not answer
 * @property {string[]} [controls] the tools that are shown
 * @property {Record<string, [any, string][]>} [choices] list -> [[value, label], …]
 * @property {string} [technique]
 * @property {string} [optimizer]
 * @property {string} [page]
 * @property {number | null} [speed]
 * @property {number | null} [rate] the learning rate of the optimizer in use
 * @property {number | null} [momentum] its β₁, or μ; null where it has none
 * @property {number | null} [decay] its weight decay; null where it has none
 * @property {object[]} [stations] what happens where in a step
 * @property {string[]} [goals] what the page asks somebody to do
 * @property {Overlay[]} [overlays] what the tool *View* offers beside weights, movement and leaks
 */

export {};
