//! The flame graph of a profile, coloured by class, as an SVG that needs nothing else.

mod draw;
mod tree;

use tlstax_doc::Profile;

use crate::model::Block;

/// A picture of every stack, as wide as its weight and coloured by its class.
pub fn flame_graph(profile: &Profile) -> String {
    draw::svg(&tree::Tree::of(profile))
}

/// The same as a part of a section; none without stacks.
pub(super) fn block(profile: &Profile) -> Option<Block> {
    let tree = tree::Tree::of(profile);
    (tree.weight > 0).then(|| Block::Picture {
        title: "Every stack by its weight, coloured by what it is for; point at a bar to see all of it"
            .to_owned(),
        svg: draw::svg(&tree),
    })
}
